import { PictureError } from '../picture-error.ts'
import { getFormat } from './formats.ts'
import type { StoredPicture } from './picture-format.ts'

/** A row of pixels is held at full size. */
const maxEdge = 20_000

/**
 * Reads format, size and orientation without decoding. Throws `PictureError` for other formats, for files that are cut
 * off or damaged, and for pictures that would need too much memory.
 */
export function openPicture(bytes: Uint8Array): StoredPicture {
  if (bytes.length === 0) throw new PictureError('image_empty')
  const picture = getFormat(bytes).open(bytes)
  const { kind, width, height, maxPixels } = picture
  if (width < 1 || height < 1) throw new PictureError('no_pixels')
  if (width * height > maxPixels)
    throw new PictureError('too_many_megapixels', {
      kind,
      width,
      height,
      megapixels: ((width * height) / 1e6).toFixed(1),
      max: String(Math.floor(maxPixels / 1e4) / 100),
    })
  if (Math.max(width, height) > maxEdge) throw new PictureError('edge_too_long', { width, height, max: maxEdge })
  return picture
}
