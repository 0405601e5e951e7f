import type { Point } from '../picture.ts'
import { furthest, middle } from '../geometry.ts'
import { extent, type Layout, type Run, runsAt, type Silhouette } from './silhouette.ts'
import type { Build } from '../taxonomy/item.ts'

/** The v at which the legs part: below it, no cloth is on the centre line. */
export function findCrotch({ rows, top, height, left, right }: Silhouette): number | undefined {
  let row = rows.length - 1
  const gapAt = (index: number) => centralGap(rows[index] ?? [], (right - left) * 0.12)
  while (row >= 0 && gapAt(row) === undefined && row > rows.length - 1 - height * 0.05) row--
  const lowest = row
  while (row >= 0 && gapAt(row) !== undefined) row--
  if (row < 0 || row === lowest) return undefined
  // Near its top the gap is narrower than a pixel, so its edges are extrapolated to where they meet.
  const span = Math.max(4, Math.round(Math.min(height * 0.25, (lowest - row) * 0.8)))
  const meets = rootOfLine(
    Array.from({ length: span }, (_, step) => row + 1 + step).slice(Math.floor(span * 0.2)),
    gapAt,
  )
  const higher = meets === undefined ? 0 : Math.max(0, Math.min(row + 1 - meets, height * 0.09))
  return top + row + 1 - higher
}

/** Where the straight line through the values (least squares) is zero; `undefined` where they do not rise. */
function rootOfLine(places: readonly number[], valueAt: (place: number) => number | undefined): number | undefined {
  const seen = places.flatMap((place) => {
    const value = valueAt(place)
    return value === undefined ? [] : [[place, value] as const]
  })
  if (seen.length < 3) return undefined
  const meanPlace = seen.reduce((sum, [place]) => sum + place, 0) / seen.length
  const meanValue = seen.reduce((sum, [, value]) => sum + value, 0) / seen.length
  const rise = seen.reduce((sum, [place, value]) => sum + (place - meanPlace) * (value - meanValue), 0)
  const spread = seen.reduce((sum, [place]) => sum + (place - meanPlace) ** 2, 0)
  return rise <= 0 ? undefined : meanPlace - (meanValue * spread) / rise
}

/** Width of the bare stretch between two neighbouring runs whose middle lies within `reach` of the centre line. */
function centralGap(runs: readonly Run[], reach: number): number | undefined {
  for (let index = 1; index < runs.length; index++) {
    const before = runs[index - 1]!
    const after = runs[index]!
    const isBetween = (before.left + before.right) / 2 < 0 && (after.left + after.right) / 2 > 0
    if (isBetween && Math.abs(before.right + after.left) / 2 < reach) return after.left - before.right
  }
  return undefined
}

/** Hip and thigh of trousers, jeans and shorts. */
export function locateLegs(silhouette: Silhouette, crotchV: number): Layout {
  const { outline, top, height } = silhouette
  const upper = top + (crotchV - top) * 0.35
  const waistLeft = furthest(outline, [-1, -1.2], ([, v]) => v < upper) ?? [silhouette.left, top]
  const waistRight = furthest(outline, [1, -1.2], ([, v]) => v < upper) ?? [silhouette.right, top]
  const waistCentre = middle(waistLeft, waistRight)
  const hipV = waistCentre[1] + (crotchV - waistCentre[1]) * 0.72
  const hip = extent(runsAt(silhouette, hipV)) ?? { left: silhouette.left, right: silhouette.right }
  const crotch: Point = [crotchCentre(silhouette, crotchV), crotchV]
  const thighV = crotchV + height * 0.025
  const thigh = runsAt(silhouette, thighV).find((run) => run.right > hip.right * 0.5)
  const lines = [
    { name: 'Hip', from: [hip.left, hipV] as Point, to: [hip.right, hipV] as Point },
    ...(thigh === undefined
      ? []
      : [
          {
            name: 'Thigh',
            from: [Math.max(thigh.left, crotch[0]), thighV] as Point,
            to: [thigh.right, thighV] as Point,
          },
        ]),
  ]
  return { landmarks: { crotch, waist: waistCentre }, lines }
}

function crotchCentre(silhouette: Silhouette, crotchV: number): number {
  const runs = runsAt(silhouette, crotchV + 2)
  const before = runs.filter((run) => (run.left + run.right) / 2 < 0).at(-1)
  const after = runs.find((run) => (run.left + run.right) / 2 > 0)
  return before === undefined || after === undefined || before === after ? 0 : (before.right + after.left) / 2
}

/** Hip and length of a skirt. */
export function locateSkirt(silhouette: Silhouette): Layout {
  const { outline, top, height, left, right } = silhouette
  const upper = ([, v]: Point) => v < top + height * 0.2
  const waistLeft = furthest(outline, [-0.8, -1], upper) ?? [left, top]
  const waistRight = furthest(outline, [0.8, -1], upper) ?? [right, top]
  const centre = middle(waistLeft, waistRight)
  const bottom = furthest(outline, [0, 1], ([u]) => Math.abs(u) < height * 0.05) ?? [0, top + height]
  const hipV = centre[1] + Math.min((waistRight[0] - waistLeft[0]) * 0.54, (bottom[1] - centre[1]) * 0.5)
  const hip = extent(runsAt(silhouette, hipV)) ?? { left, right }
  return {
    landmarks: {},
    lines: [
      { name: 'Hip', from: [hip.left, hipV], to: [hip.right, hipV] },
      { name: 'Length', from: [0, centre[1]], to: [0, bottom[1]] },
    ],
  }
}

/** Width and height of a garment without other points of measure: bags and hats. */
export function locateBox(silhouette: Silhouette): Layout {
  const { top, height, left, right, rows } = silhouette
  const widest = rows.reduce((best, _, row) => (spanOf(rows, row) > spanOf(rows, best) ? row : best), 0)
  const body = extent(rows[widest] ?? []) ?? { left, right }
  const middleV = top + widest
  return {
    landmarks: {},
    lines: [
      { name: 'Width', from: [body.left, middleV], to: [body.right, middleV] },
      { name: 'Height', from: [0, bodyTop(silhouette)], to: [0, top + height] },
    ],
  }
}

/** Length of a shoe: the longer side of the smallest rectangle around its outline, along the rectangle's middle. */
function locateShoe({ outline }: Silhouette): Layout {
  const boxes = Array.from({ length: 180 }, (_, degrees) => boxAround(outline, (degrees * Math.PI) / 180))
  const areaOf = ({ length, width }: (typeof boxes)[number]) => length * width
  const smallest = boxes
    .filter(({ length, width }) => length >= width)
    .reduce((best, box) => (areaOf(box) < areaOf(best) ? box : best))
  return { landmarks: {}, lines: [{ name: 'Length', from: smallest.from, to: smallest.to }] }
}

/** The rectangle around an outline with its length at an angle to the frame, and the ends of its middle line. */
function boxAround(outline: readonly Point[], radians: number) {
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const along = outline.map(([u, v]) => u * cos + v * sin)
  const across = outline.map(([u, v]) => v * cos - u * sin)
  const [start, end] = [Math.min(...along), Math.max(...along)]
  const [near, far] = [Math.min(...across), Math.max(...across)]
  const at = (u: number): Point => [u * cos - ((near + far) / 2) * sin, u * sin + ((near + far) / 2) * cos]
  return { length: end - start, width: far - near, from: at(start), to: at(end) }
}

function spanOf(rows: Silhouette['rows'], row: number): number {
  const run = extent(rows[row] ?? [])
  return run === undefined ? 0 : run.right - run.left
}

/** The first row about as wide as the body's middle: handles end there. */
function bodyTop(silhouette: Silhouette): number {
  const { top, height, rows } = silhouette
  const cloth = (row: number) => (rows[row] ?? []).reduce((sum, run) => sum + run.right - run.left, 0)
  const full = cloth(Math.round(height * 0.7))
  for (let row = 0; row < height; row++) if (cloth(row) > full * 0.75) return top + row
  return top
}

/**
 * Landmarks and measuring lines of a garment whose build is known, in its own frame (pixels of the silhouette): only
 * those that do not end at points that the network sees, because it finds these better.
 */
export function locateGarment(build: Build, silhouette: Silhouette): Layout {
  switch (build) {
    case 'legs':
      return locateLegs(silhouette, findCrotch(silhouette) ?? silhouette.top + silhouette.height / 2)
    case 'skirt':
      return locateSkirt(silhouette)
    case 'bag':
    case 'hat':
      return locateBox(silhouette)
    case 'shoe':
      return locateShoe(silhouette)
    case 'top':
    case 'one-piece':
    case 'boot':
    case 'strip':
    case 'set':
      return { landmarks: {}, lines: [] }
  }
}
