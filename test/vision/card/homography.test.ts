import { describe, expect, it } from 'vitest'
import { fitHomography, invert, project } from '../../../src/vision/card/homography.ts'
import type { Point } from '../../../src/vision/picture.ts'

const square: Point[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
]
const tilted = [300, 20, 400, -10, 280, 300, 0.1, -0.05, 1]

describe('fitHomography', () => {
  it('finds the map again from four corners, and its inverse leads back', () => {
    const map = fitHomography(
      square,
      square.map((point) => project(tilted, point)),
    )
    expect(map).toBeDefined()
    map!.forEach((value, index) => expect(value).toBeCloseTo(tilted[index]!, 6))
    const [x, y] = project(invert(map!)!, project(map!, [0.3, -0.7]))
    expect([x, y]).toEqual([expect.closeTo(0.3, 6), expect.closeTo(-0.7, 6)])
  })

  it('averages errors out over more points than it needs', () => {
    const points = Array.from({ length: 40 }, (_, index): Point => [
      ((index % 8) - 3.5) / 4,
      (Math.floor(index / 8) - 2) / 2,
    ])
    const seen = points.map((point, index): Point => {
      const [x, y] = project(tilted, point)
      return [x + (index % 2 === 0 ? 0.5 : -0.5), y + (index % 3) * 0.3 - 0.3]
    })
    const [x, y] = project(fitHomography(points, seen)!, [0, 0])
    expect(Math.hypot(x - 400, y - 300)).toBeLessThan(0.2)
  })

  it('gives nothing for points on a line, and no inverse of a map that flattens', () => {
    const line = [0, 1, 2, 3].map((x): Point => [x, 2 * x])
    expect(fitHomography(line, line)).toBeUndefined()
    expect(invert([1, 1, 0, 1, 1, 0, 0, 0, 1])).toBeUndefined()
  })
})
