import { type Homography, project } from './card/homography.ts'
import type { Point } from './picture.ts'
import type { ScaleSource } from './scene.ts'

/** Both ends of a line, x and y of each, in whole pixels of the upright original. */
export type LinePoints = readonly [fromX: number, fromY: number, toX: number, toY: number]

/**
 * The scale of the upright original: centimetres to a pixel, or the first eight numbers of the map to centimetres in
 * the plane of the printed card, the ninth being 1.
 */
export type ViewScale = number | readonly number[]

/** Where the scale of lines comes from that only people have drawn. Usual sizes need lines of the tagger. */
export const sourceOfDrawn = (scale: ViewScale): ScaleSource => (typeof scale === 'number' ? 'studio' : 'card')

/** What is stored of a measured picture, so that lines can be moved later without it. */
export interface View {
  /** Width and height of the upright original. */
  readonly size: readonly [width: number, height: number]
  /** Absent if it is not known. */
  readonly scale?: ViewScale | undefined
  /** By name of measurement, without the unit. */
  readonly lines: Readonly<Record<string, LinePoints>>
}

/** Rounded to half centimetres, as everything that is measured; not a number beyond the horizon of the plane. */
export function lineLength(scale: ViewScale, [fromX, fromY, toX, toY]: LinePoints): number {
  const cm =
    typeof scale === 'number'
      ? Math.hypot(toX - fromX, toY - fromY) * scale
      : lengthInPlane([...scale, 1], [fromX, fromY], [toX, toY])
  return Math.round(cm * 2) / 2
}

/** Undefined where the picture has no scale, or where its plane has no such length. */
export function measuredLength({ scale }: Pick<View, 'scale'>, points: LinePoints): number | undefined {
  const cm = scale === undefined ? Number.NaN : lineLength(scale, points)
  return cm > 0 ? cm : undefined
}

/**
 * The lines that people have put right, with their lengths; null for one that they removed. Those that the item type
 * does not have, or that have no length in the picture, are ignored: the predicted ones stay.
 */
export function correctedLines(
  moved: Readonly<Record<string, LinePoints | null>>,
  names: readonly string[],
  view: Pick<View, 'scale'>,
): Record<string, { readonly points: LinePoints; readonly cm: number } | null> {
  const corrected: ReturnType<typeof correctedLines> = {}
  for (const [name, points] of Object.entries(moved)) {
    if (!names.includes(name)) continue
    const cm = points === null ? undefined : measuredLength(view, points)
    if (points === null) corrected[name] = null
    else if (cm !== undefined) corrected[name] = { points, cm }
  }
  return corrected
}

function lengthInPlane(toPlane: Homography, from: Point, to: Point): number {
  const isInFront = ([x, y]: Point) => toPlane[6]! * x + toPlane[7]! * y + toPlane[8]! > 0
  if (!isInFront(from) || !isInFront(to)) return Number.NaN
  const [a, b] = [project(toPlane, from), project(toPlane, to)]
  return Math.hypot(b[0] - a[0], b[1] - a[1])
}
