import { roundCm } from '../view.ts'
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

/** Points this near to the picture's edge lie on it, as a share of the shorter side. */
const edgeShare = 0.006

/** The same for a cuff's centre, which lies inside even if the whole cuff touches the edge. */
const cuffShare = 0.016

/** Lines across an end of the garment, and the measurements that need that end. */
const ends: Readonly<Record<string, readonly string[]>> = {
  Waist: ['Hip'],
  Hem: ['Hem', 'Body Length'],
  Cuff: ['Cuff'],
  'Leg Opening': ['Leg Opening', 'Inseam', 'Outseam'],
}

/** Lines that end with the cloth, which may continue beyond the picture. */
const toEdge = new Set(['Hip', 'Thigh', 'Width', 'Height', 'Length'])

/**
 * Removes lines that the picture's edge cuts off. An end of the garment is cut off if both of its corners lie on the
 * edge, because close crops touch single corners. `landmarks` include the centres of the cuffs.
 */
export function removeCutOffLines(
  { lines, landmarks }: Layout,
  axis: Silhouette['axis'],
  picture: { readonly width: number; readonly height: number },
): readonly FrameLine[] {
  const shorterSide = Math.min(picture.width, picture.height)
  const margin = edgeShare * shorterSide
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
  /** Measuring lines in the taxonomy's order, in pixels of the view, rounded to 0.5 cm. Empty without a scale. */
  readonly lines: readonly MeasuringLine[]
  /** Estimated centimetres per pixel of the view. Undefined if unneeded or impossible. */
  readonly estimate: number | undefined
}

interface Measurable extends Pick<Analysis, 'outlines' | 'holes'> {
  readonly prediction: Pick<Analysis['prediction'], 'landmarks'>
  readonly segmentation: Pick<Analysis['segmentation'], 'mask'>
}

/** Measures the garment's largest part. `plane` maps to centimetres. Without it, typical sizes give the scale. */
export function measureGarment(
  { prediction, segmentation, outlines, holes }: Measurable,
  itemType: ItemType,
  sleeve: Sleeve | undefined,
  sizing: Sizing,
  plane: Plane | undefined,
): Measured {
  const { build, measurements } = itemOf(itemType)
  const silhouette = cutRows(outlines[0] ?? [], findAxis(segmentation.mask), holes)
  const points = readLandmarks(prediction.landmarks).map((point) => ({
    ...point,
    place: toFrame(silhouette.axis, point.place),
  }))
  const layout = locateByPoints(build, silhouette, points, sleeve, toFramePlane(plane, silhouette))
  // Shoes of a pair point in different directions, so the larger one may be seen at an angle.
  const isPair = build === 'shoe' && outlines.length > 1
  const all = [...layout.lines, ...(isPair ? [] : locateByOutline(build, silhouette))]
  // Keeps the first line of each name, which is the more reliable sleeve's.
  const lines = removeCutOffLines({ ...layout, lines: all }, silhouette.axis, segmentation.mask).filter(
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
      const cm = roundCm(lengthOf(from, to))
      return cm > 0 ? [{ name, from, to, cm }] : []
    }),
  }
}

function toFramePlane(plane: Plane | undefined, { axis }: Silhouette): Plane {
  if (plane === undefined) return levelPlane
  return { to: (place) => plane.to(toPicture(axis, ...place)), from: (point) => toFrame(axis, plane.from(point)) }
}
