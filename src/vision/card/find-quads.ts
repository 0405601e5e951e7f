import type { Point } from '../picture.ts'
import { centreOf, signedArea } from '../polygon.ts'
import { labelRegions } from '../segment/label-regions.ts'
import type { Mask } from '../segment/mask.ts'
import type { Quad } from './card-layout.ts'

/** Smaller markers cannot be read. */
const minSide = 9

/** Those of a marker seen at 60 degrees, and of a hollow frame that stands on its corner, as shares of its box. */
const maxAspect = 3
const minCover = 0.12

/** The area inside the four corners as a share of what the region encloses, if it has four straight sides. */
const fit = { min: 0.86, max: 1.08 }

/** Photographs have fewer; of more, the largest are kept. */
const maxQuads = 200

/** Finds the dark regions with four straight sides: markers, and much else. */
export function findQuads({ width, height, data }: Mask): Quad[] {
  const { regions, labels } = labelRegions(data, 1, width, height)
  const found: { area: number; quad: Quad }[] = []
  regions.forEach(({ area, left, right, top, bottom }, id) => {
    const [across, down] = [right - left + 1, bottom - top + 1]
    const [shorter, longer] = [Math.min(across, down), Math.max(across, down)]
    if (id === 0 || shorter < minSide || longer > shorter * maxAspect || area < across * down * minCover) return
    const ends: Point[] = []
    let enclosed = 0
    for (let y = top; y <= bottom; y++) {
      const from = y * width
      let first = left
      while (first < right && labels[from + first] !== id) first++
      let last = right
      while (last > first && labels[from + last] !== id) last--
      ends.push([first, y], [last, y])
      enclosed += last - first + 1
    }
    const quad = cornersOf(ends)
    if (quad === undefined) return
    const share = signedArea(quad) / enclosed
    if (share >= fit.min && share <= fit.max) found.push({ area: enclosed, quad })
  })
  found.sort((a, b) => b.area - a.area)
  return found.slice(0, maxQuads).map(({ quad }) => quad)
}

/**
 * The corners of a convex quadrilateral among its border's points: the two ends of the longer diagonal, and what lies
 * furthest from it on both sides. Moved out by half a pixel, from the pixels' centres to the region's edge.
 */
function cornersOf(border: readonly Point[]): Quad | undefined {
  const centre = centreOf(border)
  const first = best(border, ([x, y]) => Math.hypot(x - centre[0], y - centre[1]))
  const third = best(border, ([x, y]) => Math.hypot(x - first[0], y - first[1]))
  const side = ([x, y]: Point) => (third[0] - first[0]) * (y - first[1]) - (third[1] - first[1]) * (x - first[0])
  const second = best(border, (point) => -side(point))
  const fourth = best(border, side)
  if (side(second) >= 0 || side(fourth) <= 0) return undefined
  const outwards = ([x, y]: Point): Point => {
    const away = Math.hypot(x - centre[0], y - centre[1]) || 1
    return [x + ((x - centre[0]) / away) * Math.SQRT1_2, y + ((y - centre[1]) / away) * Math.SQRT1_2]
  }
  return [outwards(first), outwards(second), outwards(third), outwards(fourth)]
}

function best(points: readonly Point[], score: (point: Point) => number): Point {
  let found = points[0]!
  let highest = -Infinity
  for (const point of points) {
    const value = score(point)
    if (value <= highest) continue
    highest = value
    found = point
  }
  return found
}

export const mapQuad = ([a, b, c, d]: Quad, to: (corner: Point) => Point): Quad => [to(a), to(b), to(c), to(d)]
