import { type Homography, project } from './card/homography.ts'
import type { Point } from './picture.ts'
import type { ScaleSource } from './scene.ts'

/** Both ends of a line in whole pixels of the upright original. */
export type LinePoints = readonly [fromX: number, fromY: number, toX: number, toY: number]

/** Scale of the upright original: centimetres per pixel, or eight entries of the homography to the card's plane. */
export type ViewScale = number | readonly number[]

/** Returns the scale source if only people have drawn lines. Estimates do not qualify: they need predicted lines. */
export const sourceOfDrawn = (scale: ViewScale): ScaleSource => (typeof scale === 'number' ? 'studio' : 'card')

/** Stored geometry of a measured picture, so that lines can be moved later without decoding the picture. */
export interface View {
  /** Width and height of the upright original. */
  readonly size: readonly [width: number, height: number]
  /** Absent if the scale is unknown. */
  readonly scale?: ViewScale | undefined
  readonly lines: Readonly<Record<string, LinePoints>>
}

/** Rounds a length. All lengths are rounded by this rule, in pictures, fields, texts and exports. */
export const roundCm = (cm: number): number => Math.round(cm * 2) / 2

/** Returns centimetres rounded to 0.5, or NaN if an end lies beyond the horizon of the plane. */
export function lineLength(scale: ViewScale, [fromX, fromY, toX, toY]: LinePoints): number {
  const cm =
    typeof scale === 'number'
      ? Math.hypot(toX - fromX, toY - fromY) * scale
      : lengthInPlane([...scale, 1], [fromX, fromY], [toX, toY])
  return roundCm(cm)
}

/** Returns centimetres, or undefined if the picture has no scale or the line has no length in its plane. */
export function measuredLength({ scale }: Pick<View, 'scale'>, points: LinePoints): number | undefined {
  const cm = scale === undefined ? Number.NaN : lineLength(scale, points)
  return cm > 0 ? cm : undefined
}

/**
 * Returns the lines that people corrected, with their lengths, and null for removed lines. Omits lines without a length
 * and lines of other item types.
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
