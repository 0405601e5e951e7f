import { fileForm } from '../../src/client/garment-methods.ts'
import { type MultipartFile, readMultipart } from '../../src/platform/http/multipart.ts'

/** Builds form files with these contents, as routes that accept up to eight files read them. */
export async function formFile(
  contents: readonly Uint8Array<ArrayBuffer>[],
  maxFileBytes: number,
): Promise<MultipartFile> {
  const form = fileForm(
    {},
    contents.map((content) => ({ image: new Blob([content]) })),
  )
  const headers = { 'Content-Type': form.type, 'Content-Length': String(form.body.size) }
  const request = new Request('http://s.test/', { method: 'POST', headers, body: await form.body.arrayBuffer() })
  return (await readMultipart(request, { maxFileBytes, maxFiles: 8 })).file
}
