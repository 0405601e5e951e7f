import type { Point } from '../picture.ts'

/** A point of a picture in a copy that is `factor` times smaller. In both, whole numbers are centres of pixels. */
export function shrinkPoint([x, y]: Point, factor: number): Point {
  return [(x - (factor - 1) / 2) / factor, (y - (factor - 1) / 2) / factor]
}

/** A point of the copy in the picture: the inverse of `shrinkPoint`. */
export function enlargePoint([x, y]: Point, factor: number): Point {
  return [x * factor + (factor - 1) / 2, y * factor + (factor - 1) / 2]
}
