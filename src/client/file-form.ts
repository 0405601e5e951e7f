/** An image file in place of its address. */
export interface FileUpload {
  readonly uuid: string
  readonly image: Blob
  /** Of the file. */
  readonly name?: string
  readonly attribute?: Readonly<Record<string, string>>
}

/** As browsers escape them. */
const escaped = (name: string) => name.replaceAll('"', '%22').replaceAll(/[\r\n]+/g, '%0A')

/**
 * The form of an upload. Not `FormData`, which runtimes end differently, while the service has to know the file's size
 * from the length of the whole.
 */
export function fileForm(fields: Readonly<Record<string, string>>, image: Blob, name: string) {
  const boundary = `form-${crypto.randomUUID()}`
  const part = (field: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(field)}"`
  const texts = Object.entries(fields).map(([field, value]) => `${part(field)}\r\n\r\n${value}\r\n`)
  const head = `${part('image')}; filename="${escaped(name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: new Blob([...texts, head, image, `\r\n--${boundary}--\r\n`]),
  }
}
