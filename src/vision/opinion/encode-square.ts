import { encodeJpeg } from '../image/jpeg/encode-jpeg.ts'
import type { Picture, Point } from '../picture.ts'
import { outsideLevel } from '../predict/predict-picture.ts'
import { sampleSquare } from '../predict/sample-square.ts'

const maxSide = 768

/** Side of the square, relative to the longer side of the garment. */
const margin = 1.12

/**
 * The square around a garment as JPEG, at most 768 pixels wide, with no metadata. What lies outside of the picture is
 * grey.
 * @param outlines in pixels of the picture
 */
export function encodeSquare(picture: Picture, outlines: readonly (readonly Point[])[]): Uint8Array {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of outlines.flat()) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  const side = Math.max(right - left, bottom - top) * margin
  const square = { left: (left + right - side) / 2, top: (top + bottom - side) / 2, side }
  const size = Math.max(1, Math.min(maxSide, Math.round(side)))
  const rgb = sampleSquare(picture, square, size, outsideLevel)
  const data = new Uint8ClampedArray(size * size * 4)
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    data[to] = rgb[from]!
    data[to + 1] = rgb[from + 1]!
    data[to + 2] = rgb[from + 2]!
  }
  return encodeJpeg({ width: size, height: size, data })
}
