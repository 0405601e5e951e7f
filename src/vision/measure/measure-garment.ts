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

/** Points nearer to the picture's edge than this share of its shorter side count as lying on it. */
const edgeShare = 0.006

/** Minimum distance of a cuff's centre from the edge. It lies inside even if the whole cuff touches the edge. */
const cuffShare = 0.016

/** Lines across an end of the garment, and the measurements that depend on that end. */
const ends: Readonly<Record<string, readonly string[]>> = {
  Waist: ['Hip'],
  Hem: ['Hem', 'Body Length'],
  Cuff: ['Cuff'],
  'Leg Opening': ['Leg Opening', 'Inseam', 'Outseam'],
}

/** Lines that end where the cloth ends. At the picture's edge the cloth may continue. */
const toEdge = new Set(['Hip', 'Thigh', 'Width', 'Height', 'Length'])

/**
 * Removes lines that are cut off by the picture's edge. An end of the garment is cut off if both of its corners lie on
 * the edge. One corner proves nothing, because many pictures are cropped close to the garment. Also removes lines that
 * end outside the picture, cut-off sleeves and cut-off widths.
 * @param landmarks include the centres of the cuffs
 * @param picture size of the picture from which the silhouette was cut
 */
export function removeCutOffLines(
  { lines, landmarks }: Layout,
  axis: Silhouette['axis'],
  picture: { readonly width: number; readonly height: number },
): readonly FrameLine[] {
  const shorterSide = Math.min(picture.width, picture.height)
  const margin = edgeShare * shorterSide
  /** Returns the distance of a point from the nearest edge, negative outside the picture. */
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
  /** Lines in the taxonomy's order, in pixels of the view, rounded to 0.5 cm. Empty if no scale is known. */
  readonly lines: readonly MeasuringLine[]
  /** Estimated centimetres per pixel of the view. Undefined if it was not needed or no typical size is known. */
  readonly estimate: number | undefined
}

interface Measurable extends Pick<Analysis, 'outlines' | 'holes'> {
  readonly prediction: Pick<Analysis['prediction'], 'landmarks'>
  readonly segmentation: Pick<Analysis['segmentation'], 'mask'>
}

/**
 * Measures the largest part of the garment.
 * @param plane map from the view to centimetres. Without it, lengths are estimated from typical sizes
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
  const points = readLandmarks(prediction.landmarks).map((point) => ({
    ...point,
    place: toFrame(silhouette.axis, point.place),
  }))
  const layout = locateByPoints(build, silhouette, points, sleeve, toFramePlane(plane, silhouette))
  // The shoes of a pair point in different directions, so the larger one may be seen at an angle.
  const isPair = build === 'shoe' && outlines.length > 1
  const all = [...layout.lines, ...(isPair ? [] : locateByOutline(build, silhouette))]
  // Keeps the first line of each name: of both sleeves, the more reliable one comes first.
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

/** Converts a plane to the garment's frame. */
function toFramePlane(plane: Plane | undefined, { axis }: Silhouette): Plane {
  if (plane === undefined) return levelPlane
  return { to: (place) => plane.to(toPicture(axis, ...place)), from: (point) => toFrame(axis, plane.from(point)) }
}
