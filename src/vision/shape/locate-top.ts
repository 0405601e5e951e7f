import type { Point } from '../picture.ts'
import type { Sleeve } from '../taxonomy/values.ts'
import { findArmholes } from './find-armholes.ts'
import { type Armpits, findArmpits } from './find-armpits.ts'
import { bareSide, type BodySide, findBodySide, isOnBody } from './find-body-side.ts'
import { furthest } from './find-corners.ts'
import type { FrameLine, Layout } from './landmarks.ts'
import { locateShoulders, shoulderToChest } from './locate-shoulders.ts'
import { locateSleeve } from './locate-sleeve.ts'
import { locateWaist } from './locate-waist.ts'
import { bodyWidth, centralRun, runsAt, type Silhouette, widthAt } from './silhouette.ts'

/** How far below the shoulders an armpit lies, in widths of the chest. */
const armpitDepth = { min: 0.25, max: 0.58 }

/**
 * A hood's greatest width and least height, as shares of the body's width: shoulders are wider, a collar is lower. And
 * how far down the hood its neck lies, as a share of its height.
 */
const head = { width: 0.62, height: 0.25, neck: 0.75 }

/** Share of the body's width: if a hem is narrower, its corners were not found. */
const minHem = 0.5

/** Points of measure of a garment that hangs from the shoulders, except those that the outline does not show. */
export function locateTop(silhouette: Silhouette, sleeve: Sleeve | undefined): Layout {
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
function layOut(silhouette: Silhouette, sleeve: Sleeve | undefined, sides: Sides, chest: Armpits | undefined): Layout {
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
  const lengthAt = shoulders.neckRight
  const [hemLeft, hemRight] = ([-1, 1] as const).map((side, index) =>
    hemCorner(silhouette, side, sides[index], (chestV + bottom) / 2),
  )
  const hasHem = hemLeft && hemRight && hemRight[0] - hemLeft[0] > 2 * half * minHem
  return {
    landmarks: {
      ...(chest && { 'Left Armpit': [chest.left, chestV], 'Right Armpit': [chest.right, chestV] }),
      'Left Shoulder': shoulders.left,
      'Right Shoulder': shoulders.right,
      'Left Neck': shoulders.neckLeft,
      'Right Neck': shoulders.neckRight,
      ...(hasHem && { 'Left Hem': hemLeft, 'Right Hem': hemRight }),
      ...(sleeves[0] && { 'Left Cuff Outer': sleeves[0].outer, 'Left Cuff Inner': sleeves[0].inner }),
      ...(sleeves[1] && { 'Right Cuff Outer': sleeves[1].outer, 'Right Cuff Inner': sleeves[1].inner }),
    },
    lines: [
      ...(chest ? [line('Chest', [chest.left, chestV], [chest.right, chestV])] : []),
      ...(chest ? [line('Shoulder', shoulders.left, shoulders.right)] : []),
      ...(hasSleeves && lengthAt[1] < headEnd(silhouette, half)
        ? []
        : [line('Body Length', lengthAt, [lengthAt[0], hemAt(silhouette, lengthAt[0], bottom)])]),
      ...(hasHem ? [line('Hem', hemLeft, hemRight)] : []),
      ...(sleeves[1] ? [line('Sleeve Length', shoulders.right, sleeves[1].outer)] : []),
      ...(sleeves[1] ? [line('Cuff', sleeves[1].outer, sleeves[1].inner)] : []),
      ...locateWaist(silhouette, sides, chest, bottom),
    ],
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

/** As a top, but with the length from the highest shoulder point to the lowest point of the legs. */
export function locateOnePiece(silhouette: Silhouette, sleeve: Sleeve | undefined): Layout {
  const { landmarks, lines } = locateTop(silhouette, sleeve)
  const from = lines.find(({ name }) => name === 'Body Length')?.from ?? [0, silhouette.top]
  const length: FrameLine = { name: 'Length', from, to: [from[0], silhouette.top + silhouette.height] }
  const isUpper = ({ name }: FrameLine) => name === 'Chest' || name === 'Shoulder' || name === 'Sleeve Length'
  return { landmarks, lines: [...lines.filter(isUpper), length] }
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
