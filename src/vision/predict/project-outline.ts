import type { Picture } from '../picture.ts'
import type { LooksOutput, OutlineMap } from './take-looks.ts'

/** Weight of the crop's outline where it shows the place; it is finer than that of the whole picture. */
const cropWeight = 0.75

/**
 * Probability of garment for each pixel of a picture, from both passes.
 * @param factor pixels of the picture that was looked at to one of `view`
 */
export function projectOutline(
  [whole, crop]: LooksOutput['outlines'],
  { width, height }: Picture,
  factor: number,
): Float32Array {
  const columns = [placesOf(whole, 'left', width, factor), placesOf(crop, 'left', width, factor)] as const
  const rows = [placesOf(whole, 'top', height, factor), placesOf(crop, 'top', height, factor)] as const
  const out = new Float32Array(width * height)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const coarse = probabilityAt(whole, columns[0][x]!, rows[0][y]!)
      const u = columns[1][x]!
      const v = rows[1][y]!
      const isShown = u >= 0 && v >= 0 && u <= crop.side - 1 && v <= crop.side - 1
      out[index] = isShown ? coarse + (probabilityAt(crop, u, v) - coarse) * cropWeight : coarse
    }
  }
  return out
}

/** Where the centres of a row's or column's pixels lie in a map, in its pixel centres. */
function placesOf({ square, side }: OutlineMap, edge: 'left' | 'top', length: number, factor: number): Float32Array {
  return Float32Array.from(
    { length },
    (_, index) => (((index + 0.5) * factor - square[edge]) / square.side) * side - 0.5,
  )
}

/** Linear interpolation; beyond the outermost pixel centres their value. */
function probabilityAt({ side, probabilities }: OutlineMap, u: number, v: number): number {
  const x = Math.max(0, Math.min(side - 1.001, u))
  const y = Math.max(0, Math.min(side - 1.001, v))
  const left = Math.floor(x)
  const top = Math.floor(y)
  const at = top * side + left
  const upper = probabilities[at]! + (probabilities[at + 1]! - probabilities[at]!) * (x - left)
  const below = at + side
  const lower = probabilities[below]! + (probabilities[below + 1]! - probabilities[below]!) * (x - left)
  return upper + (lower - upper) * (y - top)
}
