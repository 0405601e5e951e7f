import type { Mask, Picture, Point } from '../picture.ts'
import { centreOf, signedArea } from '../geometry.ts'
import { labelRegions } from '../segment/label-regions.ts'
import type { Quad } from './card-layout.ts'

const minSide = 9

/** Limits for a marker's box: its aspect ratio at 60 degrees, and the share of the box that the marker covers. */
const maxAspect = 3
const minCover = 0.12

/** Allowed ratio between the quadrilateral's area and the area that the region encloses. */
const fit = { min: 0.86, max: 1.08 }

/** Maximum number of regions, largest first. Real photographs have fewer. */
const maxQuads = 200

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

/** Finds a quadrilateral's corners: the ends of its longest diagonal, and the furthest border point on either side. */
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

/** Radius of the neighbourhood that a pixel is compared with, in pixels of the reduced picture. */
const reach = 9

/** A dark pixel is below this share of the mean around it, and at least `levels` levels below it. */
const share = 0.92
const levels = 3

/** Marks pixels darker than their neighbourhood (Bradley and Roth 2007) in the green channel, reduced by `factor`. */
export function markDark({ width: fullWidth, height: fullHeight, data: full }: Picture, factor: 1 | 2) {
  const width = Math.floor(fullWidth / factor)
  const height = Math.floor(fullHeight / factor)
  const grey = new Uint8Array(width * height)
  for (let y = 0, at = 0; y < height; y++) {
    let from = y * factor * fullWidth * 4 + 1
    const below = factor === 1 ? 0 : fullWidth * 4
    const right = factor === 1 ? 0 : 4
    for (let x = 0; x < width; x++, at++, from += factor * 4)
      grey[at] = (full[from]! + full[from + right]! + full[from + below]! + full[from + below + right]!) >> 2
  }
  return { width, height, data: compareWithMeans(grey, width, height) }
}

/** Updates column sums row by row, so that the cost does not depend on the radius. */
function compareWithMeans(grey: Uint8Array, width: number, height: number): Uint8Array {
  const dark = new Uint8Array(grey.length)
  const columns = new Uint32Array(width)
  const addRow = (y: number, sign: 1 | -1) => {
    if (y < 0 || y >= height) return
    for (let x = 0, at = y * width; x < width; x++, at++) columns[x] = columns[x]! + sign * grey[at]!
  }
  for (let y = 0; y < reach; y++) addRow(y, 1)
  for (let y = 0; y < height; y++) {
    addRow(y + reach, 1)
    addRow(y - reach - 1, -1)
    const rows = Math.min(height - 1, y + reach) - Math.max(0, y - reach) + 1
    let sum = 0
    for (let x = 0; x < Math.min(width, reach); x++) sum += columns[x]!
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (x + reach < width) sum += columns[x + reach]!
      if (x > reach) sum -= columns[x - reach - 1]!
      const count = rows * (Math.min(width - 1, x + reach) - Math.max(0, x - reach) + 1)
      if ((grey[at]! + levels) * count < sum * share) dark[at] = 1
    }
  }
  return dark
}
