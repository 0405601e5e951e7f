import type { Picture } from '../picture.ts'
import { toSrgb } from './colour-profile/to-srgb.ts'
import { openPicture } from './open-picture.ts'
import { orient } from './orient.ts'

export interface DecodedPicture {
  /** Upright, opaque, and in sRGB. */
  readonly picture: Picture
  /** Pixels of the upright original per pixel of `picture`; at least 1. */
  readonly scale: number
  /** Width and height of the upright original. */
  readonly size: readonly [width: number, height: number]
}

/**
 * Decodes to a working copy of at most `maxEdge` pixels on the longest edge. A JPEG may be up to 30 % smaller than
 * that. Throws `PictureError` for anything wrong with the picture.
 */
export async function decodePicture(bytes: Uint8Array, maxEdge: number): Promise<DecodedPicture> {
  const { width, height, orientation, extractProfile, decode } = openPicture(bytes)
  const stored = flatten(await toSrgb(await decode(maxEdge), await extractProfile()))
  const size = orientation >= 5 ? ([height, width] as const) : ([width, height] as const)
  return { picture: orient(stored, orientation), scale: width / stored.width, size }
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
