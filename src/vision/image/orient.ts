import type { Picture } from '../picture.ts'
import type { Orientation } from './read-orientation.ts'

/** Rotates and mirrors a stored picture upright, according to its EXIF orientation (CIPA DC-008, tag 0x0112). */
export function orient(picture: Picture, orientation: Orientation): Picture {
  if (orientation === 1) return picture
  const { width, height } = picture
  const swaps = orientation >= 5
  const outWidth = swaps ? height : width
  const outHeight = swaps ? width : height
  const source = new Uint32Array(picture.data.buffer, picture.data.byteOffset, width * height)
  const target = new Uint32Array(outWidth * outHeight)
  const mirrorsX = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8
  const mirrorsY = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7
  for (let y = 0, out = 0; y < outHeight; y++) {
    for (let x = 0; x < outWidth; x++, out++) {
      const u = swaps ? y : x
      const v = swaps ? x : y
      target[out] = source[(mirrorsY ? height - 1 - v : v) * width + (mirrorsX ? width - 1 - u : u)]!
    }
  }
  return { width: outWidth, height: outHeight, data: new Uint8ClampedArray(target.buffer) }
}
