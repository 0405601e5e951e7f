import type { Point } from '../picture.ts'

/** A length on the garment, in its own frame. */
export interface FrameLine {
  readonly name: string
  readonly from: Point
  readonly to: Point
}

/** What was found of one kind of garment, all in its own frame (pixels). */
export interface Layout {
  readonly landmarks: Readonly<Record<string, Point>>
  readonly lines: readonly FrameLine[]
}
