import type { Picture } from '../picture.ts'
import { decodeJpeg } from './jpeg/decode-jpeg.ts'
import { decodePng } from './png/decode-png.ts'
import { decodeWebp } from './webp/decode-webp.ts'
import { orient } from './orient.ts'
import { type PictureHeader, readHeader } from './read-header.ts'
import { shrink } from './shrink.ts'

export interface DecodedPicture {
  /** Upright and opaque. */
  readonly picture: Picture
  /** Pixels of the upright original per pixel of `picture`; at least 1. */
  readonly scale: number
}

/**
 * Decodes to a working copy of at most `maxEdge` pixels on the longest edge. A JPEG may be up to 30 % smaller than that,
 * where the decoder's own scaling comes close enough. Throws `PictureError` for anything wrong with the picture.
 */
export async function decodePicture(bytes: Uint8Array, maxEdge: number): Promise<DecodedPicture> {
  const header = readHeader(bytes)
  const stored = await decodeStored(header, bytes, maxEdge)
  return { picture: orient(stored, header.orientation), scale: header.width / stored.width }
}

async function decodeStored(header: PictureHeader, bytes: Uint8Array, maxEdge: number): Promise<Picture> {
  if (header.format === 'jpeg') return shrink(await decodeJpeg(bytes, header, Math.round(maxEdge * 0.7)), maxEdge)
  return flatten(header.format === 'webp' ? await decodeWebp(bytes, header, maxEdge) : await decodePng(bytes, maxEdge))
}

/** Puts transparent pixels on white, in place: cut-out pictures are shown on white in shops. */
function flatten(picture: Picture): Picture {
  const { data } = picture
  for (let i = 3; i < data.length; i += 4) {
    const opacity = data[i]!
    if (opacity === 255) continue
    for (let channel = i - 3; channel < i; channel++) data[channel] = 255 + ((data[channel]! - 255) * opacity) / 255
    data[i] = 255
  }
  return picture
}
