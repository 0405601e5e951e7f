import { PictureError } from '../picture-error.ts'
import { getFormat } from './formats.ts'
import type { StoredPicture } from './picture-format.ts'
import type { Picture } from '../picture.ts'
import { toSrgb } from './colour-profile.ts'
import { orient, rotate, type Rotation } from './orientation.ts'

/** Longest allowed edge: one row of pixels is held at full size. */
const maxEdge = 20_000

/** Reads format, size and orientation. Throws `PictureError` for unsupported, damaged or too large files. */
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

export interface DecodedPicture {
  readonly picture: Picture
  /** Pixels of the upright original per pixel of `picture`, at least 1. */
  readonly scale: number
  readonly size: readonly [width: number, height: number]
}

/** Decodes to at most `maxEdge` pixels on the longest edge, for a JPEG up to 30 % less. Throws `PictureError`. */
export async function decodePicture(
  bytes: Uint8Array,
  maxEdge: number,
  rotation: Rotation = 0,
): Promise<DecodedPicture> {
  const { width, height, orientation, extractProfile, decode } = openPicture(bytes)
  const stored = flatten(await toSrgb(await decode(maxEdge), await extractProfile()))
  const isSwapped = orientation >= 5 !== (rotation === 90 || rotation === 270)
  const size = isSwapped ? ([height, width] as const) : ([width, height] as const)
  return { picture: rotate(orient(stored, orientation), rotation), scale: width / stored.width, size }
}

/** Blends transparent pixels with white in place, because shops show cut-outs on white. */
export function flatten(picture: Picture): Picture {
  const { data } = picture
  for (let i = 3; i < data.length; i += 4) {
    const opacity = data[i]!
    if (opacity === 255) continue
    for (let channel = i - 3; channel < i; channel++) data[channel] = 255 + ((data[channel]! - 255) * opacity) / 255
    data[i] = 255
  }
  return picture
}
