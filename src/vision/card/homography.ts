import type { Point } from '../picture.ts'
import { centreOf } from '../geometry.ts'

/** A projective map between planes: 3 x 3 entries row by row, the last one 1 (Hartley and Zisserman, 4.1). */
export type Homography = readonly number[]

export function project(h: Homography, [x, y]: Point): Point {
  const w = h[6]! * x + h[7]! * y + h[8]!
  return [(h[0]! * x + h[1]! * y + h[2]!) / w, (h[3]! * x + h[4]! * y + h[5]!) / w]
}

/**
 * Fits a homography: exactly for four points, by least squares for more. `from` should be centred on the origin.
 * Returns undefined for degenerate points, such as points on one line.
 */
export function fitHomography(from: readonly Point[], to: readonly Point[]): Homography | undefined {
  const [centreX, centreY] = centreOf(to)
  const size = meanDistance(to, [centreX, centreY])
  const reach = meanDistance(from, [0, 0])
  const normal = Array.from({ length: 8 }, () => Array.from({ length: 9 }, () => 0))
  from.forEach(([fromX, fromY], index) => {
    const [x, y] = [fromX / reach, fromY / reach]
    const [u, v] = [(to[index]![0] - centreX) / size, (to[index]![1] - centreY) / size]
    addEquation(normal, [x, y, 1, 0, 0, 0, -u * x, -u * y, u])
    addEquation(normal, [0, 0, 0, x, y, 1, -v * x, -v * y, v])
  })
  const solved = solve(normal)
  if (solved === undefined) return undefined
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = solved
  const [p, q] = [g / reach, h / reach]
  return [
    (a * size) / reach + centreX * p,
    (b * size) / reach + centreX * q,
    c * size + centreX,
    (d * size) / reach + centreY * p,
    (e * size) / reach + centreY * q,
    f * size + centreY,
    p,
    q,
    1,
  ]
}

export function invert(h: Homography): Homography | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, i = 0, j = 0] = h
  const adjugate = [e * j - f * i, c * i - b * j, b * f - c * e, f * g - d * j, a * j - c * g, c * d - a * f]
  adjugate.push(d * i - e * g, b * g - a * i, a * e - b * d)
  const last = adjugate[8]!
  return Math.abs(last) < 1e-12 ? undefined : adjugate.map((value) => value / last)
}

function meanDistance(points: readonly Point[], [x, y]: Point): number {
  return Math.max(1e-9, points.reduce((sum, point) => sum + Math.hypot(point[0] - x, point[1] - y), 0) / points.length)
}

function addEquation(normal: number[][], equation: readonly number[]): void {
  for (let row = 0; row < 8; row++)
    for (let column = 0; column < 9; column++) normal[row]![column]! += equation[row]! * equation[column]!
}

function solve(rows: number[][]): number[] | undefined {
  const count = rows.length
  for (let step = 0; step < count; step++) {
    let pivot = step
    for (let row = step + 1; row < count; row++)
      if (Math.abs(rows[row]![step]!) > Math.abs(rows[pivot]![step]!)) pivot = row
    if (Math.abs(rows[pivot]![step]!) < 1e-12) return undefined
    ;[rows[step], rows[pivot]] = [rows[pivot]!, rows[step]!]
    for (let row = 0; row < count; row++) {
      if (row === step) continue
      const factor = rows[row]![step]! / rows[step]![step]!
      for (let column = step; column <= count; column++) rows[row]![column]! -= factor * rows[step]![column]!
    }
  }
  return rows.map((row, index) => row[count]! / row[index]!)
}
