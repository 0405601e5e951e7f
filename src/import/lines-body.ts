import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { decodeText } from '../csv/decode-text.ts'
import { binaryFileProblem } from '../csv/binary-file-problem.ts'
import type { AppEnv } from '../http/router.ts'
import { importTooLarge, notLines, unusableFile } from './errors.ts'
import { maxCsvBytes } from './store/limits.ts'
import { receiveFile } from './store/receive-file.ts'
import type { LineFormat } from './store/store-lines.ts'

const formats: readonly (readonly [RegExp, LineFormat])[] = [
  [/^text\/csv\s*(;|$)/i, 'csv'],
  [/^application\/(x-ndjson|ndjson|jsonl|json-lines)\s*(;|$)/i, 'json lines'],
]

/** Of a request's `Content-Type`. Throws 415. */
export function lineFormat(contentType = ''): LineFormat {
  const found = formats.find(([pattern]) => pattern.test(contentType))
  if (found === undefined) throw notLines()
  return found[1]
}

const limit = bodyLimit({
  maxSize: maxCsvBytes,
  onError: () => {
    throw importTooLarge()
  },
})

/** Accepts a body of CSV or JSON lines, of a tenant's API key. */
export const linesBody = createMiddleware<AppEnv>(async (c, next) => {
  lineFormat(c.req.header('content-type'))
  await receiveFile(c, c.var.tenantId, async () => void (await limit(c, next)))
})

/** The text of a file. Throws 400 for a spreadsheet's own file or a picture; `field` is where it came from. */
export function readLinesFile(bytes: Uint8Array, field: string): string {
  const problem = binaryFileProblem(bytes)
  if (problem !== null) throw unusableFile(`${field}: ${problem}`)
  return decodeText(bytes)
}
