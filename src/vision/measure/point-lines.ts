import type { Point } from '../picture.ts'
import { direction, distance, furthest, middle, type Plane } from '../geometry.ts'
import { type At, type FrameLine, maybeSeen } from './silhouette.ts'

export interface PointLine extends FrameLine {
  readonly reliability: number
}

/** Largest deviation from square of neck, waist and hem, as the sine of the angle. Above it, a point must be wrong. */
export const maxSkew = 0.3

/** Measures from neck to hem along their centres. Compares angles in the plane of the cloth, as the camera may tilt. */
export function bodyLength(at: At, plane: Plane): PointLine[] {
  const neckInPicture = at('neckR')
  const inPlane = (name: string) => ({ ...at(name), place: plane.to(at(name).place) })
  const [neck, otherNeck, left, right] = [inPlane('neckR'), inPlane('neckL'), inPlane('hemL'), inPlane('hemR')]
  const hem = middle(left.place, right.place)
  const top = middle(neck.place, otherNeck.place)
  const hasBoth = otherNeck.reliability >= maybeSeen
  const [u, v] = hasBoth
    ? direction(top, hem)
    : direction(neck.place, plane.to([neckInPicture.place[0], neckInPicture.place[1] + 1]))
  const isSkew = (from: Point, to: Point) => {
    const [across, along] = direction(from, to)
    return Math.abs(across * u + along * v) > maxSkew
  }
  if (hasBoth && (isSkew(otherNeck.place, neck.place) || isSkew(left.place, right.place))) return []
  const length = (hem[0] - neck.place[0]) * u + (hem[1] - neck.place[1]) * v
  return [
    {
      name: 'Body Length',
      from: neckInPicture.place,
      to: plane.from([neck.place[0] + u * length, neck.place[1] + v * length]),
      reliability: Math.min(neck.reliability, left.reliability, right.reliability),
    },
  ]
}

/** Largest difference between the shoulders' distances from the neck, in shoulder widths. */
const maxDifference = 0.15

export function shoulderLine(at: At): PointLine[] {
  const [left, right, neck, otherNeck] = [at('shoulderL'), at('shoulderR'), at('neckL'), at('neckR')]
  const difference = Math.abs(distance(left.place, neck.place) - distance(right.place, otherNeck.place))
  const isNeckSeen = Math.min(neck.reliability, otherNeck.reliability) >= maybeSeen
  if (isNeckSeen && difference > distance(left.place, right.place) * maxDifference) return []
  return [
    { name: 'Shoulder', from: left.place, to: right.place, reliability: Math.min(left.reliability, right.reliability) },
  ]
}

/** Maximum half width of a cuff, as a share of the garment's longer side. */
const halfCuff = 0.13

/** Factor by which a cuff's corner may lie further out than the edge beside it. */
const slack = 1.2

/** Where the sleeve's width is read: this share of its length before its end, which may be slanted. */
const before = 0.15

/** Minimum search radius for a cuff's corner, as a share of the sleeve's length. */
const minReach = 0.08

/** Finds the cuff's left (-1) or right (1) corner on the outline, seen upwards along the sleeve. */
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

/** Maximum depth of a flat cuff's centre inside the outline, as a share of the garment's longer side. */
const maxDepth = 0.05

/** Whether the cuff lies over the body, so that the sleeve's length is hidden. */
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

function distanceToEdge([x, y]: Point, [du, dv]: Point, border: readonly Point[]): number | undefined {
  let nearest: number | undefined
  border.forEach((from, index) => {
    const to = border[(index + 1) % border.length]!
    const [across, next] = [from, to].map((point) => (point[0] - x) * -dv + (point[1] - y) * du)
    if (across! > 0 === next! > 0) return
    const share = across! / (across! - next!)
    const at: Point = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
    const away = (at[0] - x) * du + (at[1] - y) * dv
    if (away > 0 && away < (nearest ?? Infinity)) nearest = away
  })
  return nearest
}
