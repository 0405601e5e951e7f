import type { Point } from '../picture.ts'
import { direction, distance, furthest } from '../shape/find-corners.ts'

/** Of the garment's longer side: a sleeve's end is no wider from its middle to its outer edge. */
const halfCuff = 0.13

/** The corner of a sleeve's end lies so much further from its middle than the edge beside it, at most. */
const slack = 1.2

/** Of the sleeve's length: so far before its end its width is looked for, where a slanting end does not count. */
const before = 0.15

/** Of the sleeve's length: the corner is looked for at least so far around the middle of the end. */
const minReach = 0.08

/**
 * The outer corner of a sleeve's end, whose middle was seen: on the outline beside it, away from the body; the middle
 * itself where no edge is near.
 */
export function outerCuff(shoulder: Point, cuff: Point, side: 1 | -1, outline: readonly Point[], size: number): Point {
  const along = direction(shoulder, cuff)
  const out: Point = [along[1] * side, -along[0] * side]
  const length = distance(shoulder, cuff)
  const from: Point = [cuff[0] - along[0] * length * before, cuff[1] - along[1] * length * before]
  const width = distanceToEdge(from, out, outline)
  if (width === undefined || width > size * halfCuff) return cuff
  const reach = Math.max(width * slack, length * minReach)
  return furthest(outline, [along[0] + out[0], along[1] + out[1]], (point) => distance(point, cuff) < reach) ?? cuff
}

/** Of the garment's longer side: no sleeve that lies flat has the middle of its end so far inside of the outline. */
const maxDepth = 0.05

/** Whether a sleeve's end lies over the body: from there to the shoulder is not the sleeve's length. */
export function isFoldedOver(cuff: Point, outline: readonly Point[], size: number): boolean {
  const [x, y] = cuff
  let isInside = false
  let depth = Infinity
  outline.forEach((from, index) => {
    const to = outline[(index + 1) % outline.length]!
    const isCrossed = from[1] > y !== to[1] > y
    if (isCrossed && x < from[0] + ((to[0] - from[0]) * (y - from[1])) / (to[1] - from[1])) isInside = !isInside
    depth = Math.min(depth, distance(from, cuff))
  })
  return isInside && depth > size * maxDepth
}

/** How far the border lies from a point in a direction; `undefined` where it does not lie there. */
function distanceToEdge([x, y]: Point, [du, dv]: Point, border: readonly Point[]): number | undefined {
  let nearest: number | undefined
  border.forEach((from, index) => {
    const to = border[(index + 1) % border.length]!
    // Across the ray and along it.
    const [across, next] = [from, to].map((point) => (point[0] - x) * -dv + (point[1] - y) * du)
    if (across! > 0 === next! > 0) return
    const share = across! / (across! - next!)
    const at: Point = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    const away = (at[0] - x) * du + (at[1] - y) * dv
    if (away > 0 && away < (nearest ?? Infinity)) nearest = away
  })
  return nearest
}
