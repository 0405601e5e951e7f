import type { Point } from '../picture.ts'
import type { Sleeve } from '../taxonomy/values.ts'
import { toPicture } from './find-axis.ts'
import { distance } from './find-corners.ts'
import type { FrameLine, Layout } from './landmarks.ts'
import type { Silhouette } from './silhouette.ts'

/** A garment less symmetric than this lies folded, askew or on a body: its lengths mean nothing. */
const LEAST_SYMMETRY = 0.8

/** Of the picture's shorter side: nearer to the picture's edge the cloth may go on beyond it. */
const EDGE_SHARE = 0.012

/** Of the garment's height: an outline that is cut off within so much of an end has lost that end. */
const END_SHARE = 0.15

/** How far below the shoulders an armpit lies, in widths of the chest. */
const ARMPIT_DEPTH = { least: 0.25, most: 0.58 }

/** Length of a sleeve in widths of the chest; other lengths come of a sleeve that is folded or not found. */
const SLEEVE_LENGTHS: Readonly<Record<Sleeve, { readonly least: number; readonly most: number }>> = {
  None: { least: 0, most: 0 },
  Short: { least: 0.1, most: 0.65 },
  'Three-Quarter': { least: 0.5, most: 1.1 },
  Long: { least: 0.8, most: 1.7 },
}

/** A narrower cuff, in widths of the chest, is the corner of something else. */
const LEAST_CUFF = 0.1

/** How deep a crotch can lie below the waist, in widths of the hip or of the waist. */
const MOST_RISE = { Hip: 0.88, Waist: 1.2 }

/** A narrower leg, in widths of the waist, lies folded. */
const LEAST_LEG = 0.2

/** What depends on where the armpits and where the crotch were found. */
const BY_ARMPIT = ['Chest', 'Waist', 'Shoulder', 'Sleeve Length', 'Cuff']
const BY_CROTCH = ['Hip', 'Front Rise', 'Inseam', 'Thigh', 'Leg Opening', 'Outseam']

/** Two sleeves that differ by more than this share of the longer one do not both lie flat. */
const SLEEVE_DIFFERENCE = 0.2

/** What cannot be measured where the upper or lower end lies beyond the picture. */
const NEEDS_TOP = new Set([
  'Body Length',
  'Length',
  'Height',
  'Shoulder',
  'Waist',
  'Front Rise',
  'Outseam',
  'Sleeve Length',
])
const NEEDS_BOTTOM = new Set(['Body Length', 'Length', 'Height', 'Hem', 'Inseam', 'Outseam', 'Leg Opening'])

/** Widths that mean something without mirror symmetry, as of a bag. */
const BOX_LINES = new Set(['Width', 'Height'])

/**
 * Leaves out the lines that the outline does not carry: on what has no mirror symmetry, across the picture's edge, of
 * sleeves that lie folded, and of a chest that was not found where a chest can be.
 * @param picture size of the picture that the silhouette was cut from
 * @param sleeve what the sleeves are known to be; `undefined` for what has none to have
 */
export function chooseLines(
  { lines, landmarks }: Layout,
  silhouette: Silhouette,
  picture: { readonly width: number; readonly height: number },
  sleeve: Sleeve | undefined,
): FrameLine[] {
  if (silhouette.axis.symmetry < LEAST_SYMMETRY) return lines.filter(({ name }) => BOX_LINES.has(name))
  const margin = EDGE_SHARE * Math.min(picture.width, picture.height)
  const isInside = (point: Point) => {
    const [x, y] = toPicture(silhouette.axis, ...point)
    return x > margin && y > margin && x < picture.width - 1 - margin && y < picture.height - 1 - margin
  }
  const cutOff = silhouette.outline
    .filter((point) => !isInside(point))
    .map(([, v]) => (v - silhouette.top) / silhouette.height)
  const isTopCut = cutOff.some((share) => share < END_SHARE)
  const isBottomCut = cutOff.some((share) => share > 1 - END_SHARE)
  const isWrong = new Set([
    ...(isChestPlausible({ lines, landmarks }) ? [] : BY_ARMPIT),
    ...(isCrotchPlausible({ lines, landmarks }) ? [] : BY_CROTCH),
    ...(sleeve === undefined || areSleevesPlausible({ lines, landmarks }, sleeve) ? [] : ['Sleeve Length', 'Cuff']),
  ])
  return lines.filter(
    ({ name, from, to }) =>
      isInside(from) &&
      isInside(to) &&
      !isWrong.has(name) &&
      !(isTopCut && NEEDS_TOP.has(name)) &&
      !(isBottomCut && NEEDS_BOTTOM.has(name)),
  )
}

function lengthOf(lines: readonly FrameLine[], name: string): number {
  const line = lines.find((candidate) => candidate.name === name)
  return line === undefined ? 0 : distance(line.from, line.to)
}

/** True of what has no chest. */
function isChestPlausible({ lines, landmarks }: Layout): boolean {
  const [shoulder, armpit] = [landmarks['Right Shoulder'], landmarks['Right Armpit']]
  if (shoulder === undefined || armpit === undefined) return true
  const depth = (armpit[1] - shoulder[1]) / Math.max(1, lengthOf(lines, 'Chest'))
  return depth >= ARMPIT_DEPTH.least && depth <= ARMPIT_DEPTH.most
}

/** True of what has no legs. */
function isCrotchPlausible({ lines, landmarks }: Layout): boolean {
  if (landmarks['Crotch'] === undefined) return true
  const [rise, hip, waist] = [lengthOf(lines, 'Front Rise'), lengthOf(lines, 'Hip'), lengthOf(lines, 'Waist')]
  if (lengthOf(lines, 'Leg Opening') < waist * LEAST_LEG) return false
  return rise <= hip * MOST_RISE.Hip && rise <= waist * MOST_RISE.Waist
}

function areSleevesPlausible({ lines, landmarks }: Layout, sleeve: Sleeve): boolean {
  const sides = (['Left', 'Right'] as const).map((side) => {
    const [shoulder, cuff] = [landmarks[`${side} Shoulder`], landmarks[`${side} Cuff Outer`]]
    return shoulder === undefined || cuff === undefined ? 0 : distance(shoulder, cuff)
  })
  const [shorter, longer] = [Math.min(...sides), Math.max(...sides)]
  if (longer - shorter > SLEEVE_DIFFERENCE * longer) return false
  const chest = Math.max(1, lengthOf(lines, 'Chest'))
  if (lengthOf(lines, 'Cuff') < chest * LEAST_CUFF) return false
  const share = lengthOf(lines, 'Sleeve Length') / chest
  return share >= SLEEVE_LENGTHS[sleeve].least && share <= SLEEVE_LENGTHS[sleeve].most
}
