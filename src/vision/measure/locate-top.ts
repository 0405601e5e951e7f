import type { Point } from '../picture.ts'
import {
  type Armpits,
  bareSide,
  type BodySide,
  findArmholes,
  findArmpits,
  findBodySide,
  isOnBody,
} from './find-body-side.ts'
import { bend, direction, distance, furthest, middle, unit } from '../geometry.ts'
import { bodyWidth, centralRun, type FrameLine, type Layout, runsAt, type Silhouette, widthAt } from './silhouette.ts'
import type { Sleeve } from '../taxonomy/item.ts'

/** The two corners of a cuff. */
interface SleeveEnd {
  readonly outer: Point
  readonly inner: Point
}

/** In halves of the body: a cuff lies further out beside the body; a nearer point is the corner of a flared hem. */
const beside = 0.1

/** Finds the cuff along the sleeve's direction, which itself follows from the cuff: a few rounds converge. */
export function locateSleeve(
  silhouette: Silhouette,
  side: 1 | -1,
  shoulder: Point,
  armpit: Point,
  body: BodySide,
): SleeveEnd | undefined {
  const beyond = ([u, v]: Point) =>
    u * side > Math.abs(armpit[0]) * 0.98 &&
    v > shoulder[1] &&
    (v <= armpit[1] || !isOnBody(silhouette, body, [u, v], beside))
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
    along = direction(root, end)
  }
  return ends !== undefined && distance(shoulder, ends.outer) > 2 ? ends : undefined
}

/** Width of the shoulders in widths of the chest, as in size charts. */
const shoulderToChest = 0.85

/** A hollow shallower than this share of half the chest is a fold in the shoulder line. */
const minHollow = 0.045

/** In halves of the chest: if one shoulder is further out than the other by more, one was not found. */
const lopsided = 0.2

/**
 * The neck point is the highest near the centre; the shoulder point is where the line from there to the cuff bends. A
 * short sleeve bends little, so points near a shoulder's usual place are favoured. Folds shift one side more than the
 * other, so both shoulders are put at the mean of their distances from the centre line.
 */
export function locateShoulders(
  silhouette: Silhouette,
  chestV: number,
  half: number,
  hasSleeves: boolean,
  sleeves: readonly (SleeveEnd | undefined)[],
) {
  const { outline, top, height } = silhouette
  const side = (sign: 1 | -1) => {
    const upper = outline.filter(([u, v]) => u * sign > half * 0.2 && v < chestV)
    const neck = (hasSleeves ? belowHead(silhouette, upper, sign, half) : undefined) ??
      furthest(upper, [-sign * 0.25, -1], ([u]) => Math.abs(u) < half * 0.75) ?? [sign * half * 0.35, top]
    const tip = sleeves[sign < 0 ? 0 : 1]?.outer ?? [sign * half, chestV]
    const between = upper.filter(
      ([u, v]) =>
        u * sign > neck[0] * sign &&
        u * sign < half * 1.15 &&
        v > neck[1] - height * 0.01 &&
        v < neck[1] + height * 0.25,
    )
    const usual = (point: Point) => -half * 0.7 * (Math.abs(point[0]) / half - shoulderToChest) ** 2
    const shoulder = bend(between, neck, tip, [sign * half * 2, top - height], hasSleeves ? usual : undefined) ?? tip
    /** The point of the shoulder line at this distance from the centre line. */
    const at = (reach: number) => furthest(between, [0, -1], ([u]) => Math.abs(u * sign - reach) < 1.5) ?? shoulder
    return { neck, shoulder, at }
  }
  const left = side(-1)
  const right = side(1)
  const reach = (right.shoulder[0] - left.shoulder[0]) / 2
  const isLopsided = Math.abs(right.shoulder[0] + left.shoulder[0]) > lopsided * half
  return {
    left: isLopsided ? left.shoulder : left.at(reach),
    right: isLopsided ? right.shoulder : right.at(reach),
    neck: right.neck,
  }
}

/**
 * Where a hood or a standing collar meets the shoulder: the hollow between its top and the shoulder, if there is one.
 */
function belowHead(silhouette: Silhouette, upper: readonly Point[], sign: 1 | -1, half: number): Point | undefined {
  const crown = furthest(silhouette.outline, [0, -1], ([u]) => Math.abs(u) < half * 0.5)
  const shoulder = furthest(upper, [0, -1], ([u]) => u * sign > half * 0.8 && u * sign < half * 0.92)
  if (crown === undefined || shoulder === undefined) return undefined
  const between = upper.filter(([u, v]) => u * sign > crown[0] * sign && u * sign < half * 0.85 && v <= shoulder[1])
  const hollow = bend(between, crown, shoulder, [0, silhouette.top + silhouette.height])
  if (hollow === undefined) return undefined
  const [du, dv] = direction(crown, shoulder)
  const depth = Math.abs((hollow[0] - crown[0]) * -dv + (hollow[1] - crown[1]) * du)
  return depth > half * minHollow ? hollow : undefined
}

/** Shares of the height: a waist lies lower than the armpits by the first, and higher than the hem by the second. */
const belowArmpits = 0.05
const aboveHem = 0.15

/** How far below the armpits a waist can lie, as a multiple of their depth. */
const reachShare = 1.6

/** Where no armpits are seen, a waist is looked for in the middle of the garment. */
const middleOf = { from: 0.25, to: 0.65 }

/** Where no armpits are seen, the body widens from its waist both up and down by at least this share. */
const minWidening = 0.04

/** Share of the height: a narrowest row nearer to an end of the range is no waist; the body only widens or narrows. */
const inset = 0.01

/** The narrowest row of the body below the armpits; none where there is no such row. */
function locateWaist(
  { top, height }: Silhouette,
  [left, right]: readonly [BodySide | undefined, BodySide | undefined],
  chest: Armpits | undefined,
  bottom: number,
): FrameLine[] {
  if (left === undefined || right === undefined) return []
  const from = chest === undefined ? height * middleOf.from : chest.v - top + height * belowArmpits
  const to =
    chest === undefined
      ? height * middleOf.to
      : Math.min(bottom - top - height * aboveHem, (chest.v - top) * (1 + reachShare))
  const rows = Array.from({ length: Math.max(0, Math.floor(to - from)) }, (_, index) => Math.round(from) + index)
  const widthOf = (row: number) => left.edges[row]! + right.edges[row]!
  const seen = rows.filter((row) => widthOf(row) > 0)
  const [first, last] = [seen[0], seen.at(-1)]
  if (first === undefined || last === undefined) return []
  const waist = seen.reduce((best, row) => (widthOf(row) < widthOf(best) ? row : best), first)
  if (Math.min(waist - first, last - waist) < height * inset) return []
  if (chest === undefined) {
    const widest = (part: readonly number[]) => Math.max(...part.map(widthOf))
    const around = Math.min(widest(seen.filter((row) => row < waist)), widest(seen.filter((row) => row > waist)))
    if (around < widthOf(waist) * (1 + minWidening)) return []
  }
  return [{ name: 'Waist', from: [-left.edges[waist]!, top + waist], to: [right.edges[waist]!, top + waist] }]
}

/** How far below the shoulders an armpit lies, in widths of the chest. */
const armpitDepth = { min: 0.25, max: 0.58 }

/**
 * A hood's greatest width and least height, as shares of the body's width: shoulders are wider, a collar is lower. And
 * how far down the hood its neck lies, as a share of its height.
 */
const head = { width: 0.62, height: 0.25, neck: 0.75 }

/** Share of the body's width: if a hem is narrower, its corners were not found. */
const minHem = 0.5

interface TopLayout extends Layout {
  /** The right neck point; undefined where a hood hides it. */
  readonly neck: Point | undefined
}

/** Points of measure of a garment that hangs from the shoulders, except those that the outline does not show. */
export function locateTop(silhouette: Silhouette, sleeve: Sleeve | undefined): TopLayout {
  const sides = [findSide(silhouette, -1, sleeve), findSide(silhouette, 1, sleeve)] as const
  if (sleeve === 'None') return layOut(silhouette, sleeve, sides, findArmholes(silhouette))
  const chest = findArmpits(silhouette, sides)
  const layout = layOut(silhouette, sleeve, sides, chest)
  const shoulder = layout.landmarks['Right Shoulder']
  if (chest === undefined || shoulder === undefined) return layout
  const depth = (chest.v - shoulder[1]) / (chest.right - chest.left)
  const isPlausible = depth >= armpitDepth.min && depth <= armpitDepth.max
  return isPlausible ? layout : layOut(silhouette, sleeve, sides, undefined)
}

type Sides = readonly [left: BodySide | undefined, right: BodySide | undefined]

/** @param chest `undefined` where the armpits are not seen */
function layOut(
  silhouette: Silhouette,
  sleeve: Sleeve | undefined,
  sides: Sides,
  chest: Armpits | undefined,
): TopLayout {
  const { top, height } = silhouette
  const hasSleeves = sleeve !== 'None'
  const half = chest === undefined ? bodyWidth(silhouette) / 2 : (chest.right - chest.left) / 2
  const chestV = chest?.v ?? top + Math.min(height * 0.5, half * usualDepth)
  const sleeves = ([-1, 1] as const).map((side) => {
    const body = sides[side < 0 ? 0 : 1]
    const armpit: Point | undefined = chest && [side < 0 ? chest.left : chest.right, chestV]
    if (!hasSleeves || armpit === undefined || body === undefined) return undefined
    return locateSleeve(silhouette, side, [side * half * shoulderToChest, top + half * 0.15], armpit, body)
  })
  const shoulders = locateShoulders(silhouette, chestV, half, hasSleeves, sleeves)
  const bottom = hemBottom(silhouette, chestV, half)
  const [hemLeft, hemRight] = ([-1, 1] as const).map((side, index) =>
    hemCorner(silhouette, side, sides[index], (chestV + bottom) / 2),
  )
  const hasHem = hemLeft && hemRight && hemRight[0] - hemLeft[0] > 2 * half * minHem
  return {
    landmarks: {
      ...(chest && { 'Left Armpit': [chest.left, chestV], 'Right Armpit': [chest.right, chestV] }),
      'Left Shoulder': shoulders.left,
      'Right Shoulder': shoulders.right,
      ...(sleeves[0] && { 'Left Cuff Outer': sleeves[0].outer, 'Left Cuff Inner': sleeves[0].inner }),
      ...(sleeves[1] && { 'Right Cuff Outer': sleeves[1].outer, 'Right Cuff Inner': sleeves[1].inner }),
    },
    lines: [
      ...(chest ? [line('Chest', [chest.left, chestV], [chest.right, chestV])] : []),
      ...(hasHem ? [line('Hem', hemLeft, hemRight)] : []),
      ...(sleeves[1] ? [line('Cuff', sleeves[1].outer, sleeves[1].inner)] : []),
      ...locateWaist(silhouette, sides, chest, bottom),
    ],
    neck: hasSleeves && shoulders.neck[1] < headEnd(silhouette, half) ? undefined : shoulders.neck,
  }
}

function line(name: string, from: Point, to: Point): FrameLine {
  return { name, from, to }
}

/** Share of the height in which a short sleeve ends. */
const shortSleeve = 0.3

/** How far below the top the armpits lie where they are not seen, in halves of the body's width. */
const usualDepth = 1.2

/** A side of the body. Below short sleeves it is seen even where no armpit is. */
function findSide(silhouette: Silhouette, side: 1 | -1, sleeve: Sleeve | undefined): BodySide | undefined {
  if (sleeve === 'None') return bareSide(silhouette, side, 0)
  const seen = findBodySide(silhouette, side)
  return seen === undefined && sleeve === 'Short' ? bareSide(silhouette, side, shortSleeve) : seen
}

/** The v above which no neck point can lie: that of the neck below a hood, if there is one. */
function headEnd(silhouette: Silhouette, half: number): number {
  const { top, height } = silhouette
  const rows = Array.from({ length: Math.round(height / 2) }, (_, row) => row)
  const shoulders = rows.find((row) => widthAt(silhouette, top + row) > 2 * half * head.width) ?? 0
  return shoulders > 2 * half * head.height ? top + shoulders * head.neck : top - 1
}

function hemCorner(silhouette: Silhouette, side: 1 | -1, body: BodySide | undefined, from: number): Point | undefined {
  if (body === undefined) return undefined
  return furthest(
    silhouette.outline,
    [side, 0.7],
    (point) => point[0] * side > 0 && point[1] > from && isOnBody(silhouette, body, point),
  )
}

/** The chest as of a top, and the length from the highest shoulder point to the lowest point of the legs. */
export function locateOnePiece(silhouette: Silhouette, sleeve: Sleeve | undefined): Layout {
  const { landmarks, lines, neck = [0, silhouette.top] as const } = locateTop(silhouette, sleeve)
  const length = line('Length', neck, [neck[0], silhouette.top + silhouette.height])
  return { landmarks, lines: [...lines.filter(({ name }) => name === 'Chest'), length] }
}

/** The lowest row that the body itself reaches on the centre line. */
function hemBottom(silhouette: Silhouette, chestV: number, half: number): number {
  let last = chestV
  for (let v = chestV; v < silhouette.top + silhouette.height; v++)
    if (centralRun(runsAt(silhouette, v), half * 0.1) !== undefined) last = v
  return last
}
