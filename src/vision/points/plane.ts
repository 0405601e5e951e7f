import type { Point } from '../picture.ts'

/** The plane that a garment lies in, and the picture or frame that it is seen in: maps there and back. */
export interface Plane {
  readonly to: (seen: Point) => Point
  readonly from: (inPlane: Point) => Point
}

/** Of a camera that looks straight down. */
export const levelPlane: Plane = { to: (seen) => seen, from: (inPlane) => inPlane }
