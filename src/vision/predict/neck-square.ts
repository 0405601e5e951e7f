import type { Box } from '../picture.ts'
import type { Square } from './sample-square.ts'

/** Side of the square, relative to the box's width or to this share of its height, whichever is less. */
const share = 0.65
const heightShare = 0.8
/** How far below the box's upper edge its centre lies, relative to its side. */
const down = 0.42

/** The upper middle of a garment's box, where a neckline is: nearer than in a picture of all of it. As in training. */
export function neckSquare({ left, top, right, bottom }: Box): Square {
  const side = share * Math.min(right - left, heightShare * (bottom - top))
  return { left: (left + right - side) / 2, top: top + (down - 0.5) * side, side }
}
