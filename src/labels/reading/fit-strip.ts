import type { Point } from '../../vision/picture.ts'
import { growthOf, type Piece } from './find-pieces.ts'
import { type Frame, toPicture } from './sample-frame.ts'

/** A line of text along a parabola in a frame in which text runs to the right. */
export interface Strip {
  readonly left: number
  readonly right: number
  /** The row of the line's middle at `x` is `curve[0] + curve[1] * u + curve[2] * u * u`, where `u = x - middle`. */
  readonly middle: number
  readonly curve: readonly [number, number, number]
  readonly height: number
}

/** Pieces that are shorter than this, in heights, are taken as level; longer ones may be curved from `minCurved` on. */
const minSloped = 2.5
const minCurved = 6

/** Room on each side of a short piece, in heights as drawn. */
const shortRoom = 0.6

/** Text that is higher than it is long runs across the others. */
const maxUpright = 1.6

/** Fits a strip to a piece. Undefined for text that does not run to the right. */
export function fitStrip({ left, counts, rowSums, area }: Piece): Strip | undefined {
  const length = counts.length
  const middle = left + length / 2
  const rows = rowSums.reduce((sum, rowSum) => sum + rowSum, 0) / area
  if (Math.max(...counts) > maxUpright * length) return undefined
  const thickness = area / length
  const margin = growthOf(length, thickness)
  const elongation = length / thickness
  const degree = elongation < minSloped ? 0 : elongation < minCurved ? 1 : 2
  const curve = degree === 0 ? ([rows, 0, 0] as const) : fitCurve(counts, rowSums, degree)
  // A single letter is read better with room around it.
  const room = elongation < minSloped ? thickness * shortRoom : 0
  return {
    left: left - margin / 2 - room,
    right: left + length + margin / 2 + room,
    middle,
    curve,
    height: thickness + margin,
  }
}

/** Least squares over the columns' mean rows. */
function fitCurve(counts: Float64Array, rowSums: Float64Array, degree: 1 | 2): readonly [number, number, number] {
  const sums = new Float64Array(5)
  const products = new Float64Array(3)
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i]!
    if (count === 0) continue
    const u = i + 0.5 - counts.length / 2
    const row = rowSums[i]! / count
    for (let power = 0, value = 1; power < 5; power++, value *= u) {
      sums[power]! += value
      if (power < 3) products[power]! += value * row
    }
  }
  const [s0 = 1, s1 = 0, s2 = 1, s3 = 0, s4 = 1] = sums
  const [p0 = 0, p1 = 0, p2 = 0] = products
  if (degree === 1) {
    const slope = (s0 * p1 - s1 * p0) / (s0 * s2 - s1 * s1)
    return [(p0 - slope * s1) / s0, slope, 0]
  }
  const determinant = s0 * (s2 * s4 - s3 * s3) - s1 * (s1 * s4 - s3 * s2) + s2 * (s1 * s3 - s2 * s2)
  return [
    (p0 * (s2 * s4 - s3 * s3) - s1 * (p1 * s4 - s3 * p2) + s2 * (p1 * s3 - s2 * p2)) / determinant,
    (s0 * (p1 * s4 - p2 * s3) - p0 * (s1 * s4 - s3 * s2) + s2 * (s1 * p2 - p1 * s2)) / determinant,
    (s0 * (s2 * p2 - s3 * p1) - s1 * (s1 * p2 - p1 * s2) + p0 * (s1 * s3 - s2 * s2)) / determinant,
  ]
}

/** The row of a strip's middle, continued straight beyond its ends. */
export function rowAt({ left, right, middle, curve: [a, b, c] }: Strip, x: number): number {
  const within = Math.min(right, Math.max(left, x)) - middle
  return a + b * within + c * within * within + (b + 2 * c * within) * (x - middle - within)
}

/** Columns of `height` pixels along the strip, in pixels of the picture, from its end on if `isTurned`. */
export function toColumns(
  strip: Strip,
  frame: Frame,
  width: number,
  height: number,
  isTurned: boolean,
): Omit<Frame, 'right'>[] {
  const { left, right, middle, curve } = strip
  const sign = isTurned ? -1 : 1
  return Array.from({ length: width }, (_, i) => {
    const share = isTurned ? 1 - i / width : i / width
    const x = left + (right - left) * share
    const slope = curve[1] + 2 * curve[2] * (x - middle)
    const across = (sign * strip.height) / Math.hypot(1, slope)
    const way: Point = [-slope * across, across]
    const origin = toPicture(frame, [x - way[0] / 2, rowAt(strip, x) - way[1] / 2])
    const end = toPicture(frame, [x + way[0] / 2, rowAt(strip, x) + way[1] / 2])
    return { origin, down: [(end[0] - origin[0]) / height, (end[1] - origin[1]) / height] }
  })
}
