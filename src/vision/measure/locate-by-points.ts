import type { Point } from '../picture.ts'
import { direction, distance, levelPlane, middle, type Plane, unit } from '../geometry.ts'
import { type At, type FrameLine, type FramePoint, type Layout, maybeSeen, type Silhouette } from './silhouette.ts'
import type { Build, Sleeve } from '../taxonomy/item.ts'
import { bodyLines, cuffCorner, isFoldedOver, type PointLine, shoulderLine, waistLine } from './point-lines.ts'
import type { ViewsOutput } from '../network/run-views.ts'

/**
 * Share of a chest's length by which one end lies lower than the other at most. On garments marked by eye it is less
 * in nine of ten, and where it was more, the surer end was at the right height.
 */
const maxDrop = 0.2

/** From here on one of the armpits was not found at all. */
const lostDrop = 0.5

/** Both armpits at the same height along the body: the less reliable one is moved to that of the other. */
function levelArmpits(at: At): readonly FramePoint[] {
  const [left, right] = [at('armpitL'), at('armpitR')]
  const [across, down] = directionAcross(at)
  const [u, v] = [right.place[0] - left.place[0], right.place[1] - left.place[1]]
  const drop = v * across - u * down
  const share = Math.abs(drop) / Math.max(1, distance(left.place, right.place))
  if (share <= maxDrop) return [left, right]
  const [moved, kept, move] = left.reliability < right.reliability ? [left, right, drop] : [right, left, -drop]
  const place = [moved.place[0] - down * move, moved.place[1] + across * move] as const
  return [kept, { ...moved, place, reliability: share > lostDrop ? 0 : moved.reliability }]
}

/** From left to right: the mean of hem, shoulders and what is square to the body's own line, where they are seen. */
function directionAcross(at: At): Point {
  const [neck, hem] = [pairOf(at, 'neck'), pairOf(at, 'hem')]
  const directions = [hem, pairOf(at, 'shoulder')].flatMap((pair) => (pair === undefined ? [] : [direction(...pair)]))
  const [u, v] = neck === undefined || hem === undefined ? [0, 1] : direction(middle(...neck), middle(...hem))
  return unit([...directions, [v, -u]].reduce<Point>((sum, [x = 0, y = 0]) => [sum[0] + x, sum[1] + y], [0, 0]))
}

function pairOf(at: At, name: string): readonly [Point, Point] | undefined {
  const [left, right] = [at(`${name}L`), at(`${name}R`)]
  return Math.min(left.reliability, right.reliability) < maybeSeen ? undefined : [left.place, right.place]
}

/** How far a point moves at most to a corner of the outline, as a share of the garment's longer side. */
const reachShare = 0.015

/** Points that are corners of the outline, and the direction in which they stand out. */
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
 * The corner of the outline that a point stands for. Others stay where they were seen: shoulders, where the outline is
 * blunt, the crotch, whose seam can lie above the gap between the legs, neck points, above which a collar may stand,
 * and armpits, over which a sleeve may lie.
 * @param size the garment's longer side
 */
function snapPoint(name: string, place: Point, outline: readonly Point[], size: number): Point {
  const direction = corners[name]
  return direction === undefined ? place : nearestCorner(place, outline, size * reachShare, unit(direction))
}

/** What stands out most within reach, less the more the further it is from the point seen. */
function nearestCorner(place: Point, outline: readonly Point[], reach: number, [du, dv]: Point): Point {
  let [corner, highest] = [place, Number.NEGATIVE_INFINITY]
  for (const point of outline) {
    const away = distance(point, place)
    const score = (point[0] - place[0]) * du + (point[1] - place[1]) * dv - away ** 3 / reach ** 2
    if (away <= reach && score > highest) [corner, highest] = [point, score]
  }
  return corner
}

/**
 * How reliable both ends of a line have to be. Chosen on 436 garments of the training sets, whose people or ids no
 * network had learned from.
 */
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
}

interface PointLayout extends Layout {
  /** Lines of which an end is not seen reliably. */
  readonly doubtful: readonly FrameLine[]
}

/** Share of the garment's longer side: a crotch that the outline shows so near is the one that was seen. */
const crotchReach = 0.02

/** Two sleeves that differ by more than this share of the longer one do not both lie flat, if both are likely seen. */
const sleeveDifference = 0.2

/** In widths of the chest: what is longer goes on from a sleeve's end to the hem beside it. */
const maxSleeve = 2

/**
 * The lines between points that the network has seen, moved to the outline, of a garment of this build: those whose
 * ends are reliable.
 * @param crotch that the outline alone shows
 * @param plane that the garment lies in, where the camera's tilt is known
 */
export function locateByPoints(
  build: Build,
  silhouette: Silhouette,
  seen: readonly FramePoint[],
  sleeve: Sleeve | undefined,
  crotch?: Point,
  plane: Plane = levelPlane,
): PointLayout {
  const { outline } = silhouette
  const size = Math.max(silhouette.height, silhouette.right - silhouette.left)
  const settle = ({ name, place }: FramePoint) => {
    const isSame = name === 'crotch' && crotch !== undefined && distance(crotch, place) <= size * crotchReach
    return isSame ? middle(crotch, place) : snapPoint(name, place, outline, size)
  }
  const points = new Map(seen.map((point) => [point.name, { ...point, place: settle(point) }]))
  const at = (name: string) => points.get(name) ?? { name, place: [0, 0] as const, reliability: 0 }
  for (const armpit of levelArmpits(at)) if (points.has(armpit.name)) points.set(armpit.name, armpit)
  const lines = linesOf(build, silhouette, at, sleeve, { size, plane })
  const isReliable = ({ name, reliability }: PointLine) => reliability >= (limits[name] ?? 1)
  return {
    landmarks: Object.fromEntries([...points.values()].map(({ name, place }) => [name, place])),
    lines: lines.filter(isReliable),
    doubtful: lines.filter((line) => !isReliable(line)),
  }
}

function linesOf(
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
  switch (build) {
    case 'legs':
      return [across('Waist', 'waist'), ...legLines(line, at)]
    case 'skirt':
      return [...waistLine(at), across('Hem', 'hem')]
    case 'top':
    case 'one-piece':
      return [
        across('Chest', 'armpit'),
        ...shoulderLine(at),
        ...(build === 'top' ? [...waistLine(at), ...bodyLines(at, size, plane)] : [wholeLength(silhouette, at)]),
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

/** From a neck point to the height of the lowest point of the legs. */
function wholeLength({ top, height }: Silhouette, at: At): PointLine {
  const { place, reliability } = at('neckR')
  return { name: 'Length', from: place, to: [place[0], top + height], reliability }
}

/**
 * Length and cuff of both sleeves, the surer one first: the other one counts where that is cut off. None that lies
 * folded or is none.
 */
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
  const [surer] = flat
  if (surer === undefined) return []
  const [armpit, other] = [at('armpitL'), at('armpitR')]
  const isChestSeen = Math.min(armpit.reliability, other.reliability) >= maybeSeen
  const isTooLong = isChestSeen && distance(surer.from, surer.to) > distance(armpit.place, other.place) * maxSleeve
  if (isTooLong) return []
  return flat.flatMap(({ outer, inner, ...length }) =>
    outer === undefined || inner === undefined
      ? [length]
      : [length, { name: 'Cuff', from: outer, to: inner, reliability: length.reliability }],
  )
}

/** A point of measure that the network has seen. */
interface SeenPoint {
  /** The network's name for it: `armpitL`. Left and right are those of the picture. */
  readonly name: string
  /** In pixels of the picture that was looked at. */
  readonly place: Point
  /** Probability that the garment shows the point, times the share of its map that agrees on this place; 0 to 1. */
  readonly reliability: number
}

/**
 * For each map the mean place around its highest cell, weighted by the softmax of the logits (soft-argmax over a
 * window, arXiv 1711.08229).
 */
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
