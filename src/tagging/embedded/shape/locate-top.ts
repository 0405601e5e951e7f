import type { Point } from '../../tagger.ts'
import type { Armpits } from './find-armpits.ts'
import { bend, distance, furthest, middle, unit } from './find-corners.ts'
import type { FrameLine, Layout } from './landmarks.ts'
import { centralRun, runsAt, type Silhouette, widthAt } from './silhouette.ts'

/** Half the shoulder's width against half the chest's, as size charts have it. */
const SHOULDER_TO_CHEST = 0.85

/** A hollow shallower than this share of half the chest is a fold in the shoulder line. */
const LEAST_HOLLOW = 0.045

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

/** Where the armhole ends: below the row at which the body widens most, the first at which it has stopped widening. */
function armholeEnd(silhouette: Silhouette): number {
  const { top, height } = silhouette
  const span = Math.max(3, Math.round(height * 0.02))
  const growth = (row: number) => widthAt(silhouette, top + row + span) - widthAt(silhouette, top + row)
  let steepest = Math.round(height * 0.08)
  for (let row = steepest; row < height * 0.5; row++) if (growth(row) > growth(steepest)) steepest = row
  let row = steepest
  while (row < height * 0.55 && growth(row) > span * 0.12) row++
  return top + row
}

type SleeveEnd = { readonly outer: Point; readonly inner: Point }

/**
 * The neck point is the highest near the centre; the shoulder point is where the line from there to the cuff bends. A
 * short sleeve bends little, so the usual place of a shoulder has its say.
 */
function locateShoulders(
  silhouette: Silhouette,
  chestV: number,
  half: number,
  sleeves: readonly (SleeveEnd | undefined)[],
) {
  const { outline, top, height } = silhouette
  const side = (sign: 1 | -1) => {
    const upper = outline.filter(([u, v]) => u * sign > half * 0.2 && v < chestV)
    const isSleeved = sleeves[sign < 0 ? 0 : 1] !== undefined
    const neck = (isSleeved ? belowHead(silhouette, upper, sign, half) : undefined) ??
      furthest(upper, [-sign * 0.25, -1], ([u]) => Math.abs(u) < half * 0.75) ?? [sign * half * 0.35, top]
    const tip = sleeves[sign < 0 ? 0 : 1]?.outer ?? [sign * half, chestV]
    const between = upper.filter(
      ([u, v]) =>
        u * sign > neck[0] * sign &&
        u * sign < half * 1.15 &&
        v > neck[1] - height * 0.01 &&
        v < neck[1] + height * 0.25,
    )
    const usual = (point: Point) => -half * 0.7 * (Math.abs(point[0]) / half - SHOULDER_TO_CHEST) ** 2
    return {
      neck,
      shoulder: bend(between, neck, tip, [sign * half * 2, top - height], isSleeved ? usual : undefined) ?? tip,
    }
  }
  const left = side(-1)
  const right = side(1)
  return { left: left.shoulder, right: right.shoulder, neckLeft: left.neck, neckRight: right.neck }
}

/** Where a hood or a standing collar meets the shoulder: the hollow between its top and the shoulder, if there is one. */
function belowHead(silhouette: Silhouette, upper: readonly Point[], sign: 1 | -1, half: number): Point | undefined {
  const crown = furthest(silhouette.outline, [0, -1], ([u]) => Math.abs(u) < half * 0.5)
  const shoulder = furthest(upper, [0, -1], ([u]) => u * sign > half * 0.8 && u * sign < half * 0.92)
  if (crown === undefined || shoulder === undefined) return undefined
  const between = upper.filter(([u, v]) => u * sign > crown[0] * sign && u * sign < half * 0.85 && v <= shoulder[1])
  const hollow = bend(between, crown, shoulder, [0, silhouette.top + silhouette.height])
  if (hollow === undefined) return undefined
  const [du, dv] = unit([shoulder[0] - crown[0], shoulder[1] - crown[1]])
  const depth = Math.abs((hollow[0] - crown[0]) * -dv + (hollow[1] - crown[1]) * du)
  return depth > half * LEAST_HOLLOW ? hollow : undefined
}

function locateSleeve(silhouette: Silhouette, side: 1 | -1, shoulder: Point, armpit: Point): SleeveEnd | undefined {
  const beyond = ([u, v]: Point) =>
    u * side > Math.abs(armpit[0]) * 0.98 && v > shoulder[1] && (v <= armpit[1] || !isBody(silhouette, u, v))
  const points = silhouette.outline.filter(beyond)
  const root = middle(shoulder, armpit)
  let along: Point = unit([side * 0.7, 0.7])
  let ends: SleeveEnd | undefined
  for (let round = 0; round < 4; round++) {
    const up: Point = [along[1] * side, -along[0] * side]
    const outer = furthest(points, [along[0] + up[0] * 0.55, along[1] + up[1] * 0.55])
    const inner = furthest(points, [along[0] - up[0] * 0.55, along[1] - up[1] * 0.55])
    if (outer === undefined || inner === undefined) return ends
    ends = { outer, inner }
    const end = middle(outer, inner)
    along = unit([end[0] - root[0], end[1] - root[1]])
  }
  return ends !== undefined && distance(shoulder, ends.outer) > 2 ? ends : undefined
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

function isBody(silhouette: Silhouette, u: number, v: number): boolean {
  const run = centralRun(runsAt(silhouette, v - 2))
  return run !== undefined && u >= run.left - 3 && u <= run.right + 3
}

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
  return best
}
