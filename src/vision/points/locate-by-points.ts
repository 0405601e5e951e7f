import type { Point } from '../picture.ts'
import type { Build } from '../taxonomy/types.ts'
import type { Sleeve } from '../taxonomy/values.ts'
import { distance, furthest, middle, unit } from '../shape/find-corners.ts'
import type { FrameLine, Layout } from '../shape/landmarks.ts'
import type { Silhouette } from '../shape/silhouette.ts'

/** A point of measure that the network has seen, in the garment's own frame. */
interface FramePoint {
  readonly name: string
  readonly place: Point
  readonly reliability: number
}

/**
 * How reliable both ends of a line have to be. Chosen on 117 garments of the training sets, whose people or ids no
 * network had learned from.
 */
const limits: Readonly<Record<string, number>> = {
  Chest: 0.4,
  'Body Length': 0.5,
  Shoulder: 0.65,
  'Sleeve Length': 0.6,
  Hem: 0.5,
  Waist: 0.5,
  'Front Rise': 0.6,
  Inseam: 0.6,
  Outseam: 0.5,
  'Leg Opening': 0.5,
}

interface PointLine extends FrameLine {
  readonly reliability: number
}

/** Points move so far at most, as a share of the garment's longer side, to a corner or the edge of the outline. */
const snapShare = 0.03

/** Of the garment's longer side: so far around the middle of a sleeve's end its corners are. */
const cuffShare = 0.13

/** Two sleeves that differ by more than this share of the longer one do not both lie flat, if both are likely seen. */
const sleeveDifference = 0.2
const maybeSeen = 0.4

/** Points that are corners of the outline, and the direction in which they stand out. */
const corners: Readonly<Record<string, readonly [across: number, down: number]>> = {
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
 * The lines between points that the network has seen, moved to the outline, of a garment of this build: those whose
 * ends are reliable.
 */
export function locateByPoints(
  build: Build,
  silhouette: Silhouette,
  seen: readonly FramePoint[],
  sleeve: Sleeve | undefined,
): Layout {
  const size = Math.max(silhouette.height, silhouette.right - silhouette.left)
  const points = new Map(seen.map((point) => [point.name, snap(point, silhouette.outline, size * snapShare)]))
  return {
    landmarks: Object.fromEntries([...points.values()].map(({ name, place }) => [landmarkName(name), place])),
    lines: linesOf(build, silhouette, points, sleeve, size).filter(
      ({ name, reliability }) => reliability >= (limits[name] ?? 1),
    ),
  }
}

/** `Left Hem Outer` for `hemLo`. */
function landmarkName(name: string): string {
  const [, part = name, side, end] = /^([a-z]+)([LR])([io]?)$/.exec(name) ?? []
  const words = [side === undefined ? '' : side === 'L' ? 'Left ' : 'Right ', part[0]?.toUpperCase(), part.slice(1)]
  return words.join('') + (end === 'o' ? ' Outer' : end === 'i' ? ' Inner' : '')
}

function linesOf(
  build: Build,
  silhouette: Silhouette,
  points: ReadonlyMap<string, FramePoint>,
  sleeve: Sleeve | undefined,
  size: number,
): PointLine[] {
  const at = (name: string) => points.get(name) ?? { name, place: [0, 0] as const, reliability: 0 }
  const line = (name: string, from: FramePoint, to: FramePoint): PointLine => ({
    name,
    from: from.place,
    to: to.place,
    reliability: Math.min(from.reliability, to.reliability),
  })
  const across = (name: string, point: string) => line(name, at(`${point}L`), at(`${point}R`))
  switch (build) {
    case 'legs':
      return [across('Waist', 'waist'), ...legLines(line, at)]
    case 'skirt':
      return [across('Waist', 'waist'), across('Hem', 'hem')]
    case 'top':
    case 'one-piece':
      return [
        across('Chest', 'armpit'),
        across('Shoulder', 'shoulder'),
        ...(build === 'top' ? [across('Hem', 'hem'), across('Waist', 'waist'), bodyLength(at)] : []),
        ...(sleeve === 'None' ? [] : [sleeveLength(silhouette, at, size)].filter((found) => found !== undefined)),
      ]
    case 'bag':
    case 'hat':
    case 'shoe':
      return []
  }
}

type At = (name: string) => FramePoint

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

/** From the neck point straight down to the height of the hem. */
function bodyLength(at: At): PointLine {
  const [neck, left, right] = [at('neckR'), at('hemL'), at('hemR')]
  const to: Point = [neck.place[0], middle(left.place, right.place)[1]]
  return {
    name: 'Body Length',
    from: neck.place,
    to,
    reliability: Math.min(neck.reliability, left.reliability, right.reliability),
  }
}

/** Of the side that is surer; none where one sleeve lies folded. */
function sleeveLength({ outline }: Silhouette, at: At, size: number): PointLine | undefined {
  const sides = (['L', 'R'] as const).map((side) => {
    const [shoulder, cuff] = [at(`shoulder${side}`), at(`cuff${side}`)]
    const [across, down] = unit([cuff.place[0] - shoulder.place[0], cuff.place[1] - shoulder.place[1]])
    const sign = side === 'L' ? -1 : 1
    const outer = furthest(
      outline,
      [across + down * sign * 0.55, down - across * sign * 0.55],
      (point) => distance(point, cuff.place) < size * cuffShare,
    )
    return outer === undefined
      ? undefined
      : {
          name: 'Sleeve Length',
          from: shoulder.place,
          to: outer,
          reliability: Math.min(shoulder.reliability, cuff.reliability),
        }
  })
  const seen = sides.filter((side) => side !== undefined && side.reliability >= maybeSeen)
  const lengths = seen.map((side) => (side === undefined ? 0 : distance(side.from, side.to)))
  if (Math.min(...lengths) < Math.max(...lengths) * (1 - sleeveDifference)) return undefined
  return sides.reduce((best, side) => (side !== undefined && side.reliability > (best?.reliability ?? 0) ? side : best))
}

/** To the corner that points out, or to the nearest place of the edge; a point inside the cloth stays. */
function snap(point: FramePoint, outline: readonly Point[], reach: number): FramePoint {
  const isNear = (other: Point) => distance(other, point.place) <= reach
  const direction = corners[point.name]
  const place =
    direction !== undefined
      ? furthest(outline, direction, isNear)
      : outline.filter(isNear).reduce<Point | undefined>((best, other) => {
          return best === undefined || distance(other, point.place) < distance(best, point.place) ? other : best
        }, undefined)
  return place === undefined ? point : { ...point, place }
}
