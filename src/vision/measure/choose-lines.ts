import type { Point } from '../picture.ts'
import type { Build } from '../taxonomy/item.ts'
import { type FrameLine, type Layout, type Silhouette, toPicture } from './silhouette.ts'
import { distance, middle } from '../geometry.ts'

/** A garment less symmetric than this lies folded, askew or on a body: its lengths mean nothing. */
const minSymmetry = 0.8

/** Share of the picture's shorter side: cloth that is nearer to the picture's edge may continue beyond it. */
const edgeShare = 0.012

/** Share of the garment's height: an outline that is cut off nearer to an end has lost that end. */
const endShare = 0.15

/** As shares of its width: if one end of a level line is higher or further out by more, one was not found. */
const slant = 0.13
const lopsided = 0.1

/** A cut shorter than this share of the garment's width is a thread of the background. */
const minCut = 0.04

/** How far below the waist a crotch can lie, in widths of the hip or of the waist. */
const maxRise = { Hip: 0.88, Waist: 1.2 }

/** In widths of the waist: a narrower leg is folded. */
const minLeg = 0.2

/** Width of a thigh in widths of the hip. Any other is not that of one whole leg, as on very short shorts. */
const thigh = { min: 0.44, max: 0.64 }

/** Lines that depend on the crotch. */
const byCrotch = ['Hip', 'Thigh', 'Leg Opening', 'Outseam']

/** Lines that cannot be measured if the upper or the lower end of the garment lies outside the picture. */
const needsTop = new Set(['Length', 'Height', 'Waist', 'Outseam'])
const needsBottom = new Set(['Length', 'Height', 'Hem', 'Outseam', 'Leg Opening'])

/** Lines of bags and hats, which need no mirror symmetry. */
const boxLines = new Set(['Width', 'Height'])

/**
 * Leaves out lines that cannot be trusted: on a garment without mirror symmetry, across the picture's edge, and those
 * that contradict each other.
 * @param picture size of the picture that the silhouette was cut from
 */
export function chooseLines(
  build: Build,
  { lines, landmarks }: Layout,
  silhouette: Silhouette,
  picture: { readonly width: number; readonly height: number },
): FrameLine[] {
  if (silhouette.axis.symmetry < minSymmetry && build !== 'shoe') return lines.filter(({ name }) => boxLines.has(name))
  const margin = edgeShare * Math.min(picture.width, picture.height)
  const isInside = (point: Point) => {
    const [x, y] = toPicture(silhouette.axis, ...point)
    return x > margin && y > margin && x < picture.width - 1 - margin && y < picture.height - 1 - margin
  }
  const cutOff = silhouette.outline
    .filter((point) => !isInside(point))
    .map(([, v]) => (v - silhouette.top) / silhouette.height)
  const minRows = minCut * (silhouette.right - silhouette.left)
  const isTopCut = cutOff.filter((share) => share < endShare).length > minRows
  const isBottomCut = cutOff.filter((share) => share > 1 - endShare).length > minRows
  const wrong = new Set([
    ...(isLevel(lineOf(lines, 'Hem')) ? [] : ['Hem']),
    ...(isCrotchPlausible({ lines, landmarks }) ? [] : byCrotch),
    ...(isThighPlausible(lines) ? [] : ['Thigh']),
  ])
  return lines.filter(
    ({ name, from, to }) =>
      isInside(from) &&
      isInside(to) &&
      !wrong.has(name) &&
      !(isTopCut && needsTop.has(name)) &&
      !(isBottomCut && needsBottom.has(name)),
  )
}

function lineOf(lines: readonly FrameLine[], name: string): FrameLine | undefined {
  return lines.find((line) => line.name === name)
}

function lengthOf(lines: readonly FrameLine[], name: string): number {
  const line = lineOf(lines, name)
  return line === undefined ? 0 : distance(line.from, line.to)
}

/** Whether a line's ends have about the same height, and the same distance from the centre line. */
function isLevel(line: FrameLine | undefined): boolean {
  if (line === undefined) return true
  const width = distance(line.from, line.to)
  return (
    Math.abs(line.from[1] - line.to[1]) <= width * slant && Math.abs(line.from[0] + line.to[0]) <= 2 * width * lopsided
  )
}

/** True for garments without legs. */
function isCrotchPlausible({ lines, landmarks }: Layout): boolean {
  const [crotch, waistLine] = [landmarks['crotch'], lineOf(lines, 'Waist')]
  if (crotch === undefined || waistLine === undefined) return true
  const [hip, waist] = [lengthOf(lines, 'Hip'), lengthOf(lines, 'Waist')]
  const rise = Math.abs(crotch[1] - middle(waistLine.from, waistLine.to)[1])
  if (lengthOf(lines, 'Leg Opening') < waist * minLeg) return false
  return rise <= hip * maxRise.Hip && rise <= waist * maxRise.Waist
}

function isThighPlausible(lines: readonly FrameLine[]): boolean {
  const share = lengthOf(lines, 'Thigh') / Math.max(1, lengthOf(lines, 'Hip'))
  return share >= thigh.min && share <= thigh.max
}
