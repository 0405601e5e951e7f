import type { Point } from './picture.ts'

/** The enclosed area, positive for corners that go clockwise in a picture (the shoelace formula). */
export function signedArea(corners: readonly Point[]): number {
  return corners.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length]!
    return sum + (x * nextY - nextX * y) / 2
  }, 0)
}

/** The mean of the points; the origin for none. */
export function centreOf(points: readonly Point[]): Point {
  const mean = (axis: 0 | 1) => points.reduce((sum, point) => sum + point[axis], 0) / Math.max(1, points.length)
  return [mean(0), mean(1)]
}
