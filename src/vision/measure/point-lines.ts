import type { Point } from '../picture.ts'
import { direction, distance, furthest, middle, type Plane } from '../geometry.ts'
import { type At, type FrameLine, maybeSeen } from './silhouette.ts'

export interface PointLine extends FrameLine {
  readonly reliability: number
}

/**
 * How far from square the line between both neck points, both corners of the waist or both of the hem stands to the
 * body: at more, one of them was not found.
 */
export const maxSkew = 0.3

/**
 * From the neck point to the height of the hem, along the line between the middles of both. Square corners are those of
 * the cloth: in the picture of a tilted camera they are not.
 */
export function bodyLength(at: At, plane: Plane): PointLine[] {
  const seen = at('neckR')
  const inPlane = (name: string) => ({ ...at(name), place: plane.to(at(name).place) })
  const [neck, otherNeck, left, right] = [inPlane('neckR'), inPlane('neckL'), inPlane('hemL'), inPlane('hemR')]
  const hem = middle(left.place, right.place)
  const top = middle(neck.place, otherNeck.place)
  const hasBoth = otherNeck.reliability >= maybeSeen
  const [u, v] = hasBoth ? direction(top, hem) : direction(neck.place, plane.to([seen.place[0], seen.place[1] + 1]))
  const isSkew = (from: Point, to: Point) => {
    const [across, along] = direction(from, to)
    return Math.abs(across * u + along * v) > maxSkew
  }
  if (hasBoth && (isSkew(otherNeck.place, neck.place) || isSkew(left.place, right.place))) return []
  const length = (hem[0] - neck.place[0]) * u + (hem[1] - neck.place[1]) * v
  return [
    {
      name: 'Body Length',
      from: seen.place,
      to: plane.from([neck.place[0] + u * length, neck.place[1] + v * length]),
      reliability: Math.min(neck.reliability, left.reliability, right.reliability),
    },
  ]
}

/** Share of the shoulders' width: one lies at most so much further from the neck than the other, or was not found. */
const maxDifference = 0.15

/** From shoulder to shoulder. */
export function shoulderLine(at: At): PointLine[] {
  const [left, right, neck, otherNeck] = [at('shoulderL'), at('shoulderR'), at('neckL'), at('neckR')]
  const difference = Math.abs(distance(left.place, neck.place) - distance(right.place, otherNeck.place))
  const isNeckSeen = Math.min(neck.reliability, otherNeck.reliability) >= maybeSeen
  if (isNeckSeen && difference > distance(left.place, right.place) * maxDifference) return []
  return [
    { name: 'Shoulder', from: left.place, to: right.place, reliability: Math.min(left.reliability, right.reliability) },
  ]
}

/** Share of the garment's longer side: a sleeve's end is no wider from its middle to its outer edge. */
const halfCuff = 0.13

/** The corner of a sleeve's end lies so much further from its middle than the edge beside it, at most. */
const slack = 1.2

/** Share of the sleeve's length: so far before its end its width is looked for, where a slanting end does not count. */
const before = 0.15

/** Share of the sleeve's length: the corner is looked for at least so far around the middle of the end. */
const minReach = 0.08

/**
 * A corner of a sleeve's end, whose middle was seen, on the outline beside it: the one that lies to the left (-1) or to
 * the right (1) for who looks up along the sleeve. Undefined where no edge is near.
 */
export function cuffCorner(
  shoulder: Point,
  cuff: Point,
  side: 1 | -1,
  outline: readonly Point[],
  size: number,
): Point | undefined {
  const along = direction(shoulder, cuff)
  const out: Point = [along[1] * side, -along[0] * side]
  const length = distance(shoulder, cuff)
  const from: Point = [cuff[0] - along[0] * length * before, cuff[1] - along[1] * length * before]
  const width = distanceToEdge(from, out, outline)
  if (width === undefined || width > size * halfCuff) return undefined
  const reach = Math.max(width * slack, length * minReach)
  return furthest(outline, [along[0] + out[0], along[1] + out[1]], (point) => distance(point, cuff) < reach)
}

/** Share of the garment's longer side: no flat sleeve has the middle of its end so far inside of the outline. */
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
