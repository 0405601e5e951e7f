import type { Build } from '../taxonomy/types.ts'
import type { Sleeve } from '../taxonomy/values.ts'
import { distance, middle } from '../shape/find-corners.ts'
import type { FrameLine, Layout } from '../shape/landmarks.ts'
import type { Silhouette } from '../shape/silhouette.ts'
import { bodyLines, type PointLine } from './body-lines.ts'
import { type At, type FramePoint, maybeSeen } from './frame-point.ts'
import { levelArmpits } from './level-armpits.ts'
import { levelPlane, type Plane } from './plane.ts'
import { shoulderLine } from './shoulder-line.ts'
import { isFoldedOver, outerCuff } from './sleeve-line.ts'
import { waistLine } from './waist-line.ts'
import { snapPoint } from './snap-point.ts'

/**
 * How reliable both ends of a line have to be. Chosen on 436 garments of the training sets, whose people or ids no
 * network had learned from.
 */
const limits: Readonly<Record<string, number>> = {
  Chest: 0.25,
  'Body Length': 0.4,
  Shoulder: 0.5,
  'Sleeve Length': 0.5,
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

/** Of the garment's longer side: what the outline shows so near is the point that was seen. */
const reaches: ReadonlyMap<string, number> = new Map([
  ['Left Armpit', 0.04],
  ['Right Armpit', 0.04],
  ['Crotch', 0.02],
])

/** Two sleeves that differ by more than this share of the longer one do not both lie flat, if both are likely seen. */
const sleeveDifference = 0.2

/** In widths of the chest: what is longer goes on from a sleeve's end to the hem beside it. */
const maxSleeve = 2

/**
 * The lines between points that the network has seen, moved to the outline, of a garment of this build: those whose
 * ends are reliable.
 * @param found landmarks that the outline alone shows
 * @param plane that the garment lies in, where the camera's tilt is known
 */
export function locateByPoints(
  build: Build,
  silhouette: Silhouette,
  seen: readonly FramePoint[],
  sleeve: Sleeve | undefined,
  found: Layout['landmarks'] = {},
  plane: Plane = levelPlane,
): PointLayout {
  const { outline } = silhouette
  const size = Math.max(silhouette.height, silhouette.right - silhouette.left)
  const settle = ({ name, place }: FramePoint) => {
    const landmark = landmarkName(name)
    const shown = found[landmark]
    const isSame = shown !== undefined && distance(shown, place) <= size * (reaches.get(landmark) ?? 0)
    return isSame ? middle(shown, place) : snapPoint(name, place, outline, size)
  }
  const points = new Map(seen.map((point) => [point.name, { ...point, place: settle(point) }]))
  const at = (name: string) => points.get(name) ?? { name, place: [0, 0] as const, reliability: 0 }
  for (const armpit of levelArmpits(at)) if (points.has(armpit.name)) points.set(armpit.name, armpit)
  const lines = linesOf(build, silhouette, at, sleeve, { size, plane })
  const isReliable = ({ name, reliability }: PointLine) => reliability >= (limits[name] ?? 1)
  return {
    landmarks: Object.fromEntries([...points.values()].map(({ name, place }) => [landmarkName(name), place])),
    lines: lines.filter(isReliable),
    doubtful: lines.filter((line) => !isReliable(line)),
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
        ...(build === 'top' ? [...waistLine(at), ...bodyLines(at, size, plane)] : []),
        ...(sleeve === 'None' ? [] : sleeveLengths(silhouette, at, size)),
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

/** Of both sides, the surer one first: the other one counts where that is cut off. None that lies folded or is none. */
function sleeveLengths({ outline }: Silhouette, at: At, size: number): PointLine[] {
  const sides = (['L', 'R'] as const).map((side): PointLine => {
    const [shoulder, cuff] = [at(`shoulder${side}`), at(`cuff${side}`)]
    return {
      name: 'Sleeve Length',
      from: shoulder.place,
      to: outerCuff(shoulder.place, cuff.place, side === 'L' ? -1 : 1, outline, size),
      reliability: Math.min(shoulder.reliability, cuff.reliability),
    }
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
  return isTooLong ? [] : flat
}
