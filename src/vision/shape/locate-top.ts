import type { Point } from '../picture.ts'
import type { Armpits } from './find-armpits.ts'
import { furthest } from './find-corners.ts'
import type { FrameLine, Layout } from './landmarks.ts'
import { locateShoulders, SHOULDER_TO_CHEST } from './locate-shoulders.ts'
import { isBody, locateSleeve } from './locate-sleeve.ts'
import { centralRun, runsAt, type Silhouette, widthAt } from './silhouette.ts'

/**
 * Points of measure of what hangs from the shoulders. Without sleeves (`armpits` undefined) the armpit is where the
 * armhole ends: the row below which the side no longer widens quickly.
 */
export function locateTop(silhouette: Silhouette, armpits: Armpits | undefined): Layout {
  const { outline, height } = silhouette
  const chestV = armpits === undefined ? armholeEnd(silhouette) : armpits.v + height * 0.008
  const chest = centralRun(runsAt(silhouette, chestV)) ?? { left: silhouette.left, right: silhouette.right }
  const half = (chest.right - chest.left) / 2
  const sleeves = ([-1, 1] as const).map((side) =>
    armpits === undefined
      ? undefined
      : locateSleeve(
          silhouette,
          side,
          [side * half * SHOULDER_TO_CHEST, silhouette.top + half * 0.15],
          [side < 0 ? chest.left : chest.right, chestV],
        ),
  )
  const shoulders = locateShoulders(silhouette, chestV, half, sleeves)
  const bottom = hemBottom(silhouette, chestV, half)
  const hem = ([-1, 1] as const).map((side) =>
    furthest(
      outline,
      [side, 0.7],
      ([u, v]) => v > (chestV + bottom) / 2 && Math.abs(u) < half * 2.2 && u * side > 0 && isBody(silhouette, u, v),
    ),
  )
  const [hemLeft = [chest.left, bottom] as Point, hemRight = [chest.right, bottom] as Point] = hem
  const landmarks: Record<string, Point> = {
    'Left Armpit': [chest.left, chestV],
    'Right Armpit': [chest.right, chestV],
    'Left Shoulder': shoulders.left,
    'Right Shoulder': shoulders.right,
    'Left Neck': shoulders.neckLeft,
    'Right Neck': shoulders.neckRight,
    'Left Hem': hemLeft,
    'Right Hem': hemRight,
  }
  const lengthAt = shoulders.neckRight
  const lines: FrameLine[] = [
    { name: 'Chest', from: [chest.left, chestV], to: [chest.right, chestV] },
    { name: 'Shoulder', from: shoulders.left, to: shoulders.right },
    { name: 'Body Length', from: lengthAt, to: [lengthAt[0], hemAt(silhouette, lengthAt[0], bottom)] },
    { name: 'Hem', from: hemLeft, to: hemRight },
  ]
  if (armpits !== undefined) {
    const right = sleeves[1]
    if (right !== undefined) {
      landmarks['Right Cuff Outer'] = right.outer
      landmarks['Right Cuff Inner'] = right.inner
      const other = sleeves[0]
      if (other !== undefined) {
        landmarks['Left Cuff Outer'] = other.outer
        landmarks['Left Cuff Inner'] = other.inner
      }
      lines.push(
        { name: 'Sleeve Length', from: shoulders.right, to: right.outer },
        { name: 'Cuff', from: right.outer, to: right.inner },
      )
    }
  }
  const waist = narrowest(
    silhouette,
    chestV + height * 0.05,
    Math.min(bottom - height * 0.15, chestV + (chestV - silhouette.top) * 1.6),
    half,
  )
  if (waist !== undefined) lines.push({ name: 'Waist', from: [waist.left, waist.v], to: [waist.right, waist.v] })
  return { landmarks, lines }
}

/** As a top, but with the length from the highest shoulder point to the lowest point of the legs. */
export function locateOnePiece(silhouette: Silhouette, armpits: Armpits | undefined): Layout {
  const { landmarks, lines } = locateTop(silhouette, armpits)
  const from = lines.find(({ name }) => name === 'Body Length')?.from ?? [0, silhouette.top]
  const length: FrameLine = { name: 'Length', from, to: [from[0], silhouette.top + silhouette.height] }
  const isUpper = ({ name }: FrameLine) => name === 'Chest' || name === 'Shoulder' || name === 'Sleeve Length'
  return { landmarks, lines: [...lines.filter(isUpper), length] }
}

/** How far below the top an armhole ends, in widths of the garment there, and where it does if the outline does not tell. */
const ARMHOLE_DEPTH = { least: 0.25, usual: 0.42, most: 0.6 }

/** Pixels of width for one down by which an armhole widens faster than what lies below it. */
const ARMHOLE_GROWTH = 0.2

/**
 * Where the armhole ends: of the rows where it can, the last at which the garment widens faster than it does a hand
 * further down; a flared skirt widens all the way.
 */
function armholeEnd(silhouette: Silhouette): number {
  const { top, height } = silhouette
  const span = Math.max(3, Math.round(height * 0.02))
  const width = (row: number) => widthAt(silhouette, top + row)
  const growth = (row: number, rows: number) => (width(row + rows) - width(row)) / rows
  const widens = (row: number) => growth(row, span) > ARMHOLE_GROWTH + Math.max(0, growth(row + 4 * span, 6 * span))
  const depth = (row: number) => row / Math.max(1, width(row))
  const rows = Array.from({ length: Math.round(height * 0.55) }, (_, row) => row)
  const last = rows.findLast(
    (row) => depth(row) >= ARMHOLE_DEPTH.least && depth(row) <= ARMHOLE_DEPTH.most && widens(row),
  )
  if (last !== undefined) return top + last + span
  return top + (rows.find((row) => depth(row) >= ARMHOLE_DEPTH.usual) ?? height * 0.3)
}

/** The lowest row that the body itself reaches on the centre line. */
function hemBottom(silhouette: Silhouette, chestV: number, half: number): number {
  let last = chestV
  for (let v = chestV; v < silhouette.top + silhouette.height; v++)
    if (centralRun(runsAt(silhouette, v), half * 0.1) !== undefined) last = v
  return last
}

function hemAt(silhouette: Silhouette, u: number, bottom: number): number {
  for (let v = bottom; v > bottom - silhouette.height * 0.2; v--)
    if (runsAt(silhouette, v).some(({ left, right }) => left <= u && right >= u)) return v
  return bottom
}

/** The narrowest row of the body; `undefined` where it only widens from the first row on, and so has no waist. */
function narrowest(silhouette: Silhouette, from: number, to: number, half: number) {
  let best: { v: number; left: number; right: number } | undefined
  for (let v = Math.round(from); v < to; v++) {
    const run = centralRun(runsAt(silhouette, v))
    if (
      run !== undefined &&
      run.right - run.left > half * 0.6 &&
      (best === undefined || run.right - run.left < best.right - best.left)
    )
      best = { v, ...run }
  }
  return best === undefined || best.v < from + silhouette.height * 0.01 ? undefined : best
}
