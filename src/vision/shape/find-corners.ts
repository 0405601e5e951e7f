import type { Point } from '../picture.ts'

/** The outline's point furthest in a direction among those that `accept` lets through. */
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

/**
 * The point of a line furthest from the chord between its ends, on the side of `towards`; `bonus` (pixels) may favour
 * some.
 */
export function bend(
  line: readonly Point[],
  from: Point,
  to: Point,
  towards: Point,
  bonus: (point: Point) => number = () => 0,
): Point | undefined {
  const [du, dv] = direction(from, to)
  const sign = Math.sign((towards[0] - from[0]) * -dv + (towards[1] - from[1]) * du) || 1
  let best: Point | undefined
  let furthest = -Infinity
  for (const point of line) {
    const off = sign * ((point[0] - from[0]) * -dv + (point[1] - from[1]) * du) + bonus(point)
    if (off > furthest) {
      furthest = off
      best = point
    }
  }
  return best
}
