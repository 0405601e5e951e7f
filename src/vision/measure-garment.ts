import type { Analysis } from './analyse-picture.ts'
import { estimateScale, type Sizing } from './attributes/estimate-scale.ts'
import type { Point } from './picture.ts'
import { leaveOutCutOff } from './points/leave-out-cut-off.ts'
import { levelPlane, type Plane } from './points/plane.ts'
import { readLandmarks } from './points/read-landmarks.ts'
import { chooseLines } from './shape/choose-lines.ts'
import { findAxis, toFrame, toPicture } from './shape/find-axis.ts'
import { distance } from './shape/find-corners.ts'
import type { FrameLine } from './shape/landmarks.ts'
import { locateByPoints } from './points/locate-by-points.ts'
import { locateGarment } from './shape/locate-garment.ts'
import { cutRows, type Silhouette } from './shape/silhouette.ts'
import type { MeasuringLine } from './tagging.ts'
import { type ItemType, itemOf } from './taxonomy/item-types.ts'
import type { Sleeve } from './taxonomy/values.ts'

export interface Measured {
  /** Ends of the lines, in pixels of the view. */
  readonly landmarks: Readonly<Record<string, Point>>
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
 * Lines that end at a seam inside the cloth. They are never taken from the outline: on garments marked by eye its
 * lengths were off by 5 % (Body Length) to 68 % (Inseam) in the median.
 */
const seams = new Set(['Shoulder', 'Sleeve Length', 'Body Length', 'Front Rise', 'Inseam'])

/** If both differ by more than this share, the outline contradicts a length of which the network is unsure. */
const contradiction = 0.2

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
  const layout = locateGarment(build, silhouette, sleeve)
  const seen = readLandmarks(prediction.landmarks).map((point) => ({
    ...point,
    place: toFrame(silhouette.axis, point.place),
  }))
  // Of a line that both give, the network's is nearer to what people mark.
  const seenLayout = locateByPoints(build, silhouette, seen, sleeve, layout.landmarks, inFrame(plane, silhouette))
  const isContradicted = ({ name, from, to }: FrameLine) => {
    const doubtful = seenLayout.doubtful.find((line) => line.name === name)
    if (doubtful === undefined) return false
    return Math.abs(distance(doubtful.from, doubtful.to) / distance(from, to) - 1) > contradiction
  }
  // A pair's shoes point different ways, so the larger one may be seen askew.
  const isPair = build === 'shoe' && outlines.length > 1
  const ofOutline = chooseLines(build, layout, silhouette, segmentation.mask, sleeve).filter(
    (line) => !seams.has(line.name) && !isContradicted(line) && !isPair,
  )
  const ofPoints = leaveOutCutOff(seenLayout, silhouette.axis, segmentation.mask)
  const lines = [...ofPoints, ...ofOutline].filter(
    ({ name }, index, all) => all.findIndex((line) => line.name === name) === index,
  )
  const lengths = Object.fromEntries(lines.map(({ name, from, to }) => [name, distance(from, to)]))
  const estimate = plane === undefined ? estimateScale(itemType, sleeve, sizing, lengths) : undefined
  const place = (point: Point) => toPicture(silhouette.axis, ...point)
  const lengthOf = (from: Point, to: Point) =>
    plane === undefined ? distance(from, to) * (estimate ?? 0) : distance(plane.to(from), plane.to(to))
  return {
    estimate,
    landmarks: Object.fromEntries(
      [...Object.entries(layout.landmarks), ...Object.entries(seenLayout.landmarks)]
        .filter(([, point]) => lines.some(({ from, to }) => distance(from, point) < 1 || distance(to, point) < 1))
        .map(([name, point]) => [name, place(point)]),
    ),
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
