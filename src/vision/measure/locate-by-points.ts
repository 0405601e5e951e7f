import type { Point } from '../picture.ts'
import { distance, furthest, levelPlane, middle, type Plane, unit } from '../geometry.ts'
import { type At, extent, type FramePoint, type Layout, maybeSeen, runsAt, type Silhouette } from './silhouette.ts'
import type { Build, Sleeve } from '../taxonomy/item.ts'
import { bodyLength, cuffCorner, isFoldedOver, maxSkew, type PointLine, shoulderLine } from './point-lines.ts'
import type { ViewsOutput } from '../network/run-views.ts'

/** Furthest that a landmark moves to a corner, as a share of the garment's longer side. */
const reachShare = 0.015

/** Landmarks that are corners of the outline, with their outward directions. */
const corners: Readonly<Record<string, Point>> = {
  hemL: [-1, 0.7],
  hemR: [1, 0.7],
  waistL: [-1, -1.2],
  waistR: [1, -1.2],
  hemLo: [-0.9, 1],
  hemLi: [0.9, 1],
  hemRo: [0.9, 1],
  hemRi: [-0.9, 1],
}

/**
 * Moves a landmark to its corner of the outline, if it is a corner. Other landmarks stay, because collars, sleeves and
 * seams hide them. `size` is the garment's longer side.
 */
function snapPoint(name: string, place: Point, outline: readonly Point[], size: number): Point {
  const direction = corners[name]
  return direction === undefined ? place : nearestCorner(place, outline, size * reachShare, unit(direction))
}

/** Returns the outline point that stands out most, with a penalty for distance. */
function nearestCorner(place: Point, outline: readonly Point[], reach: number, [du, dv]: Point): Point {
  let [corner, highest] = [place, Number.NEGATIVE_INFINITY]
  for (const point of outline) {
    const away = distance(point, place)
    const score = (point[0] - place[0]) * du + (point[1] - place[1]) * dv - away ** 3 / reach ** 2
    if (away <= reach && score > highest) [corner, highest] = [point, score]
  }
  return corner
}

/** Minimum reliability of a line's ends, or of the landmarks behind a hip or thigh. */
const limits: Readonly<Record<string, number>> = {
  Chest: 0.25,
  'Body Length': 0.4,
  Shoulder: 0.5,
  'Sleeve Length': 0.5,
  Cuff: 0.5,
  Length: 0.5,
  Hem: 0.5,
  Waist: 0.5,
  'Front Rise': 0.5,
  Inseam: 0.5,
  Outseam: 0.5,
  'Leg Opening': 0.5,
  Hip: 0.5,
  Thigh: 0.5,
}

/** Minimum width of a hem relative to the chest. In a narrower hem, both corners are the same corner. */
const minHem = 0.5

/** Sleeves that differ by a larger share of the longer one do not both lie flat. */
const sleeveDifference = 0.2

/** Builds the reliable measuring lines from the landmarks. `plane` is the garment's plane, if known. */
export function locateByPoints(
  build: Build,
  silhouette: Silhouette,
  found: readonly FramePoint[],
  sleeve: Sleeve | undefined,
  plane: Plane = levelPlane,
): Layout {
  const { outline } = silhouette
  const size = Math.max(silhouette.height, silhouette.right - silhouette.left)
  const points = new Map(
    found.map((point) => [point.name, { ...point, place: snapPoint(point.name, point.place, outline, size) }]),
  )
  const at = (name: string) => points.get(name) ?? { name, place: [0, 0] as const, reliability: 0 }
  const lines = buildLines(build, silhouette, at, sleeve, { size, plane })
  return {
    landmarks: Object.fromEntries([...points.values()].map(({ name, place }) => [name, place])),
    lines: lines.filter(({ name, reliability }) => reliability >= (limits[name] ?? 1)),
  }
}

function buildLines(
  build: Build,
  silhouette: Silhouette,
  at: At,
  sleeve: Sleeve | undefined,
  { size, plane }: { readonly size: number; readonly plane: Plane },
): PointLine[] {
  const line = (name: string, from: FramePoint, to: FramePoint): PointLine => ({
    name,
    from: from.place,
    to: to.place,
    reliability: Math.min(from.reliability, to.reliability),
  })
  const across = (name: string, point: string) => line(name, at(`${point}L`), at(`${point}R`))
  const [waist, hem, chest] = [across('Waist', 'waist'), across('Hem', 'hem'), across('Chest', 'armpit')]
  switch (build) {
    case 'legs':
      return [waist, ...legLines(line, at), ...hipAndThigh(silhouette, waist, at)]
    case 'skirt':
      return [waist, hem, ...hipAndLength(silhouette, waist, hem)]
    case 'top':
    case 'one-piece':
      return [
        chest,
        ...shoulderLine(at),
        ...(build === 'top' ? [waist, ...topHem(hem, chest), ...bodyLength(at, plane)] : [wholeLength(silhouette, at)]),
        ...(sleeve === 'None' ? [] : sleeveLines(silhouette, at, size)),
      ]
    case 'bag':
    case 'hat':
    case 'shoe':
    case 'boot':
    case 'strip':
    case 'set':
      return []
  }
}

function legLines(line: (name: string, from: FramePoint, to: FramePoint) => PointLine, at: At): PointLine[] {
  const [left, right, crotch] = [at('waistL'), at('waistR'), at('crotch')]
  const waist = { place: middle(left.place, right.place), reliability: Math.min(left.reliability, right.reliability) }
  const top = { ...waist, name: 'waist', place: [crotch.place[0], waist.place[1]] as const }
  return [
    line('Front Rise', top, crotch),
    line('Inseam', crotch, at('hemLi')),
    line('Outseam', right, at('hemRo')),
    line('Leg Opening', at('hemRi'), at('hemRo')),
  ]
}

/** Height of the hip between waist (0) and crotch (1). */
export const hipShare = 0.72

/** Distance from crotch to thigh, as a share of the garment's height. */
const belowCrotch = 0.025

/** Plausible thigh width relative to the hip. A line of another width does not cross one whole leg. */
const thighShare = { min: 0.44, max: 0.64 }

/** Measures hip and thigh across the cloth, at heights that follow from waist and crotch. */
function hipAndThigh(silhouette: Silhouette, waist: PointLine, at: At): PointLine[] {
  const crotch = at('crotch')
  const reliability = Math.min(waist.reliability, crotch.reliability)
  const [, waistV] = middle(waist.from, waist.to)
  const [crotchU, crotchV] = crotch.place
  const hip = hipLine(silhouette, waist, waistV + (crotchV - waistV) * hipShare, reliability)
  if (hip === undefined) return []
  const v = crotchV + silhouette.height * belowCrotch
  const run = runsAt(silhouette, v).find(({ right }) => right > (crotchU + hip.to[0]) / 2)
  const from = Math.max(run?.left ?? 0, crotchU)
  const share = ((run?.right ?? 0) - from) / distance(hip.from, hip.to)
  const isWholeLeg = run !== undefined && share >= thighShare.min && share <= thighShare.max
  return isWholeLeg ? [hip, { name: 'Thigh', from: [from, v], to: [run.right, v], reliability }] : [hip]
}

/** Maximum distance from waist to hip of a skirt, in waist widths and as a fraction of the skirt's length. */
const [hipDepth, hipOfLength] = [0.54, 0.5]

function hipAndLength(silhouette: Silhouette, waist: PointLine, hem: PointLine): PointLine[] {
  const { outline, top, height } = silhouette
  const centre = middle(waist.from, waist.to)
  const [, end] = furthest(outline, [0, 1], ([u]) => Math.abs(u - centre[0]) < height * 0.05) ?? [0, top + height]
  const v = centre[1] + Math.min(distance(waist.from, waist.to) * hipDepth, (end - centre[1]) * hipOfLength)
  const hip = hipLine(silhouette, waist, v, waist.reliability)
  const reliability = Math.min(waist.reliability, hem.reliability)
  return hip === undefined ? [] : [hip, { name: 'Length', from: centre, to: [centre[0], end], reliability }]
}

/** Returns the row of cloth at height `v`. Undefined if the waist is slanted, so that rows cross at an angle. */
function hipLine(silhouette: Silhouette, waist: PointLine, v: number, reliability: number) {
  const cloth = extent(runsAt(silhouette, v))
  const [du, dv] = [waist.to[0] - waist.from[0], waist.to[1] - waist.from[1]]
  if (cloth === undefined || Math.abs(dv) > du * maxSkew) return undefined
  return { name: 'Hip', from: [cloth.left, v], to: [cloth.right, v], reliability } as const
}

function topHem(hem: PointLine, chest: PointLine): PointLine[] {
  const isNarrow = distance(hem.from, hem.to) < distance(chest.from, chest.to) * minHem
  return isNarrow && chest.reliability >= maybeSeen ? [] : [hem]
}

/** Measures from a neck point to the height of the legs' lowest point. */
function wholeLength({ top, height }: Silhouette, at: At): PointLine {
  const { place, reliability } = at('neckR')
  return { name: 'Length', from: place, to: [place[0], top + height], reliability }
}

/** Measures both sleeves, the more reliable first, unless they are folded or differ much. */
function sleeveLines({ outline }: Silhouette, at: At, size: number): PointLine[] {
  const sides = (['L', 'R'] as const).map((side) => {
    const [shoulder, cuff] = [at(`shoulder${side}`), at(`cuff${side}`)]
    const corner = (out: 1 | -1) => cuffCorner(shoulder.place, cuff.place, out, outline, size)
    const [left, right] = [corner(-1), corner(1)]
    const [outer, inner] = side === 'L' ? [left, right] : [right, left]
    const reliability = Math.min(shoulder.reliability, cuff.reliability)
    return { name: 'Sleeve Length', from: shoulder.place, to: outer ?? cuff.place, reliability, outer, inner }
  })
  const lengths = sides.filter(({ reliability }) => reliability >= maybeSeen).map(({ from, to }) => distance(from, to))
  if (Math.min(...lengths) < Math.max(...lengths) * (1 - sleeveDifference)) return []
  const flat = sides
    .filter((_, index) => !isFoldedOver(at(`cuff${index === 0 ? 'L' : 'R'}`).place, outline, size))
    .sort((a, b) => b.reliability - a.reliability)
  return flat.flatMap(({ outer, inner, ...length }) =>
    outer === undefined || inner === undefined
      ? [length]
      : [length, { name: 'Cuff', from: outer, to: inner, reliability: length.reliability }],
  )
}

interface SeenPoint {
  /** Name of the landmark, such as `armpitL`. Left and right are those of the picture. */
  readonly name: string
  readonly place: Point
  /** Probability that the landmark is visible, times its map's share near this place. 0 to 1. */
  readonly reliability: number
}

/** Reads each landmark's position: the softmax-weighted mean around its map's highest cell (arXiv 1711.08229). */
export function readLandmarks(landmarks: ViewsOutput['landmarks']): SeenPoint[] {
  const { side, reach, square, points } = landmarks
  return points.map(({ name, logits, presence }) => {
    let best = 0
    for (let cell = 1; cell < logits.length; cell++) if (logits[cell]! > logits[best]!) best = cell
    const highest = logits[best]!
    let total = 0
    for (const logit of logits) total += Math.exp(logit - highest)
    const [bestX, bestY] = [best % side, Math.floor(best / side)]
    let [mass, x, y] = [0, 0, 0]
    for (let row = Math.max(0, bestY - reach); row <= Math.min(side - 1, bestY + reach); row++) {
      for (let column = Math.max(0, bestX - reach); column <= Math.min(side - 1, bestX + reach); column++) {
        const share = Math.exp(logits[row * side + column]! - highest) / total
        mass += share
        x += share * column
        y += share * row
      }
    }
    const toPicture = (edge: number, cell: number) => edge + ((cell + 0.5) / side) * square.side - 0.5
    return {
      name,
      place: [toPicture(square.left, x / mass), toPicture(square.top, y / mass)],
      reliability: presence * mass,
    }
  })
}
