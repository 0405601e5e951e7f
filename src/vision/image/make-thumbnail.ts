import { decodePicture } from './decode-picture.ts'
import { encodeJpeg } from './jpeg/encode-jpeg.ts'
import { shrink } from './shrink.ts'

/** Shown at a height of 64 pixels in lists, also on screens with two or more pixels to each of them. */
const thumbnailEdge = 160

/** A JPEG with the longest edge of at most 160 pixels. Throws `PictureError` if the bytes are no picture. */
export async function makeThumbnail(bytes: Uint8Array): Promise<Uint8Array> {
  // A decoder may stop below the edge that it is given, so twice the edge keeps it sharp.
  const { picture } = await decodePicture(bytes, 2 * thumbnailEdge)
  return encodeJpeg(shrink(picture, thumbnailEdge))
}
