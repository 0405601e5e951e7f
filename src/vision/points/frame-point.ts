import type { Point } from '../picture.ts'

/** A point of measure that the network has seen, in the garment's own frame. */
export interface FramePoint {
  readonly name: string
  readonly place: Point
  readonly reliability: number
}

/** A point by its name, with no reliability if it was not seen. */
export type At = (name: string) => FramePoint

/** Where it is less reliable, nothing is concluded about other points from where a point is. */
export const maybeSeen = 0.4
