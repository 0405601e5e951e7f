import { boundText } from '../../bounds/bound-text.ts'
import { bodyLimit } from 'hono/body-limit'
import type { Context } from 'hono'
import { decodeText } from '../../csv/decode-text.ts'
import { maxCsvBytes } from '../../import/store/limits.ts'
import { ApiError } from '../../http/errors.ts'

/** For a file and pasted text beside it, with what multipart adds. */
export const csvFormBody = bodyLimit({
  maxSize: maxCsvBytes + 64 * 1024,
  onError: () => {
    throw new ApiError(413, 'File too large', [`A CSV file may have at most ${maxCsvBytes / 1024 / 1024} MiB.`])
  },
})

const maxNameLength = 200

export interface CsvForm {
  readonly name: string
  readonly text: string
  /** The field that the text is from. */
  readonly field: 'file' | 'csv'
  readonly pasted: string
}

/** The CSV file of the form, else its pasted lines. */
export async function readCsvForm(c: Context): Promise<CsvForm> {
  if (!/^multipart\/form-data\s*;/i.test(c.req.header('content-type') ?? ''))
    throw new ApiError(415, 'Unsupported form', ['Submit the form from its page.'])
  const { file, csv } = await c.req.parseBody()
  const pasted = typeof csv === 'string' ? csv : ''
  if (file instanceof File && file.size > 0) {
    const text = decodeText(new Uint8Array(await file.arrayBuffer()))
    return { name: boundText(file.name, maxNameLength) || 'A file', text, field: 'file', pasted }
  }
  return { name: 'Pasted lines', text: pasted, field: 'csv', pasted }
}
