import type { Point } from '../picture.ts'
import { cutRows, findAxis, type FrameLine, type Layout, type Silhouette, toFrame, toPicture } from './silhouette.ts'
import { distance, levelPlane, type Plane } from '../geometry.ts'
import type { Analysis } from '../analyse-picture.ts'
import { estimateScale, type Sizing } from './estimate-scale.ts'
import { locateByPoints, readLandmarks } from './locate-by-points.ts'
import { locateByOutline } from './locate-by-outline.ts'
import type { MeasuringLine } from '../tagging.ts'
import { itemOf, type ItemType } from '../taxonomy/item-types.ts'
import type { Sleeve } from '../taxonomy/item.ts'

/** Share of the picture's shorter side: nearer to the picture's edge a point lies in it, be it inside or beyond. */
const edgeShare = 0.006

/**
 * The same of the middle of a sleeve's end. It lies half a cuff inside where a whole sleeve only touches the edge: of
 * 36 measured sleeves that ended in the edge, it was nearer in 7, of which 6 went on beyond the picture.
 */
const cuffShare = 0.016

/** Ends of garments, and the lines that reach to them. */
const ends: Readonly<Record<string, readonly string[]>> = {
  Waist: ['Hip'],
  Hem: ['Hem', 'Body Length'],
  Cuff: ['Cuff'],
  'Leg Opening': ['Leg Opening', 'Inseam', 'Outseam'],
}

/** Lines that end where the cloth does, which may go on where that is the picture's edge. */
const toEdge = new Set(['Hip', 'Thigh', 'Width', 'Height', 'Length'])

/**
 * The lines but those that reach to an end of the garment both of whose corners lie in the picture's edge: the garment
 * goes on beyond it. One corner alone does not tell, because many pictures are cut along the garment. Nor those with an
 * end beyond the picture, which nobody could see, nor a sleeve or a width that is cut off.
 * @param landmarks among them the middles of the sleeves' ends
 * @param picture size of the picture that the silhouette was cut from
 */
export function leaveOutCutOff(
  { lines, landmarks }: Layout,
  axis: Silhouette['axis'],
  picture: { readonly width: number; readonly height: number },
): readonly FrameLine[] {
  const shorterSide = Math.min(picture.width, picture.height)
  const margin = edgeShare * shorterSide
  /** How far inside of the picture a point lies; negative beyond it. */
  const depth = (point: Point) => {
    const [x, y] = toPicture(axis, ...point)
    return Math.min(x, y, picture.width - 1 - x, picture.height - 1 - y)
  }
  const cutOff = new Set(
    lines.flatMap(({ name, from, to }) => (Math.max(depth(from), depth(to)) < margin ? (ends[name] ?? []) : [])),
  )
  const isCutSleeve = ({ name, to }: FrameLine) => {
    if (name !== 'Sleeve Length' || depth(to) >= margin) return false
    const cuffs = [landmarks['cuffL'], landmarks['cuffR']].filter((cuff) => cuff !== undefined)
    const [cuff] = cuffs.sort((a, b) => distance(a, to) - distance(b, to))
    return cuff !== undefined && depth(cuff) < cuffShare * shorterSide
  }
  return lines.filter((line) => {
    const inside = Math.min(depth(line.from), depth(line.to))
    return !cutOff.has(line.name) && !isCutSleeve(line) && inside >= (toEdge.has(line.name) ? margin : -margin)
  })
}

export interface Measured {
  /** In the taxonomy's order, in pixels of the view and rounded to half centimetres; none where no scale is known. */
  readonly lines: readonly MeasuringLine[]
  /** Centimetres to a pixel of the view from usual sizes; undefined where none is known, or where it was not needed. */
  readonly estimate: number | undefined
}

/** The parts of an analysis that lengths are read from. */
interface Measurable extends Pick<Analysis, 'outlines' | 'holes'> {
  readonly prediction: Pick<Analysis['prediction'], 'landmarks'>
  readonly segmentation: Pick<Analysis['segmentation'], 'mask'>
}

/**
 * Measures the largest part of what was cut out.
 * @param plane from the view to centimetres where the garment lies; if absent, lengths are estimated from usual sizes
 */
export function measureGarment(
  { prediction, segmentation, outlines, holes }: Measurable,
  itemType: ItemType,
  sleeve: Sleeve | undefined,
  sizing: Sizing,
  plane: Plane | undefined,
): Measured {
  const { build, measurements } = itemOf(itemType)
  const silhouette = cutRows(outlines[0] ?? [], findAxis(segmentation.mask), holes)
  const seen = readLandmarks(prediction.landmarks).map((point) => ({
    ...point,
    place: toFrame(silhouette.axis, point.place),
  }))
  const ofPoints = locateByPoints(build, silhouette, seen, sleeve, inFrame(plane, silhouette))
  // A pair's shoes point different ways, so the larger one may be seen askew.
  const isPair = build === 'shoe' && outlines.length > 1
  const all = [...ofPoints.lines, ...(isPair ? [] : locateByOutline(build, silhouette))]
  // The surer one of both sleeves comes first.
  const lines = leaveOutCutOff({ ...ofPoints, lines: all }, silhouette.axis, segmentation.mask).filter(
    ({ name }, index, left) => left.findIndex((line) => line.name === name) === index,
  )
  const lengths = Object.fromEntries(lines.map(({ name, from, to }) => [name, distance(from, to)]))
  const estimate = plane === undefined ? estimateScale(itemType, sleeve, sizing, lengths) : undefined
  const place = (point: Point) => toPicture(silhouette.axis, ...point)
  const lengthOf = (from: Point, to: Point) =>
    plane === undefined ? distance(from, to) * (estimate ?? 0) : distance(plane.to(from), plane.to(to))
  return {
    estimate,
    lines: measurements.flatMap((name) => {
      const line = lines.find((candidate) => candidate.name === name)
      if (line === undefined) return []
      const [from, to] = [place(line.from), place(line.to)]
      const cm = Math.round(lengthOf(from, to) * 2) / 2
      return cm > 0 ? [{ name, from, to, cm }] : []
    }),
  }
}

/** The same plane, seen from the garment's own frame. */
function inFrame(plane: Plane | undefined, { axis }: Silhouette): Plane {
  if (plane === undefined) return levelPlane
  return { to: (place) => plane.to(toPicture(axis, ...place)), from: (point) => toFrame(axis, plane.from(point)) }
}
