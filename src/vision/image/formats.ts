import { PictureError } from '../picture-error.ts'
import { jpegFormat } from './jpeg/jpeg-format.ts'
import type { PictureFormat } from './picture-format.ts'
import { pngFormat } from './png/png-format.ts'
import { findUnsupportedFormat } from './unsupported-formats.ts'
import { webpFormat } from './webp/webp-format.ts'

/** The formats that are decoded. A new one is an entry here and a folder of its own. */
export const pictureFormats: readonly PictureFormat[] = [jpegFormat, pngFormat, webpFormat]

export const contentTypes = pictureFormats.map(({ contentType }) => contentType)

/** `JPEG, PNG or WebP`. */
export const formatNames = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  pictureFormats.map(({ name }) => name),
)

/** As many bytes from the start of a file as tell the supported formats apart. */
export const supportedSignatureBytes = 12

/** As many as tell also those that are not supported. */
export const signatureBytes = 512

/**
 * Detects the format from the first bytes. The declared content type is ignored, because hosts often get it wrong.
 * @param start at least `supportedSignatureBytes` of the file, or all that it has
 */
export function findFormat(start: Uint8Array): PictureFormat | undefined {
  return pictureFormats.find(({ matches }) => matches(start))
}

/** Like `findFormat`. Throws `PictureError` for other formats, which names the common ones. */
export function getFormat(bytes: Uint8Array): PictureFormat {
  const start = bytes.subarray(0, signatureBytes)
  const format = findFormat(start)
  if (format !== undefined) return format
  const unsupported = findUnsupportedFormat(start)
  if (unsupported === undefined) throw new PictureError('unknown_format', { formats: formatNames })
  if (unsupported === 'HTML') throw new PictureError('web_page', { formats: formatNames })
  throw new PictureError('unsupported_format', { format: unsupported, formats: formatNames })
}
