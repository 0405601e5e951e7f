import type { Point } from './picture.ts'

export function furthest(
  outline: readonly Point[],
  [du, dv]: Point,
  accept: (point: Point) => boolean = () => true,
): Point | undefined {
  let best: Point | undefined
  let furthest = -Infinity
  for (const point of outline) {
    const along = point[0] * du + point[1] * dv
    if (along > furthest && accept(point)) {
      furthest = along
      best = point
    }
  }
  return best
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1])
}

export function unit([u, v]: Point): Point {
  const length = Math.hypot(u, v) || 1
  return [u / length, v / length]
}

export const direction = (from: Point, to: Point): Point => unit([to[0] - from[0], to[1] - from[1]])

export function middle(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}

/** Maps between points as seen and points in the garment's plane. */
export interface Plane {
  readonly to: (seen: Point) => Point
  readonly from: (inPlane: Point) => Point
}

export const levelPlane: Plane = { to: (seen) => seen, from: (inPlane) => inPlane }

/** Returns the enclosed area by the shoelace formula, positive for clockwise corners. */
export function signedArea(corners: readonly Point[]): number {
  return corners.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!
    return sum + (x * nextY - nextX * y) / 2
  }, 0)
}

export function centreOf(points: readonly Point[]): Point {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / Math.max(1, points.length)
  return [mean(0), mean(1)]
}

/** Longest run of omitted points, which bounds the running time. */
const maxLeftOut = 48

/** Simplifies a closed line, at most `maxDeviation` away from the omitted points. */
export function simplifyRing(ring: readonly Point[], maxDeviation: number): Point[] {
  const simplified: Point[] = []
  for (let first = 0; first < ring.length;) {
    const from = ring[first]!
    simplified.push(from)
    let next = first + 1
    const fits = (last: number) => {
      for (let at = first + 1; at < last; at++)
        if (distanceToLine(ring[at]!, from, ring[last]!) > maxDeviation) return false
      return true
    }
    while (next + 1 < ring.length && next - first <= maxLeftOut && fits(next + 1)) next++
    first = next
  }
  return simplified
}

function distanceToLine([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [dx, dy] = [toX - fromX, toY - fromY]
  const squared = dx * dx + dy * dy
  const share = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / squared))
  return Math.hypot(x - fromX - share * dx, y - fromY - share * dy)
}
