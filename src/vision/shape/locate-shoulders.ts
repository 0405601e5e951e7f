import type { Point } from '../picture.ts'
import { bend, direction, furthest } from './find-corners.ts'
import type { SleeveEnd } from './locate-sleeve.ts'
import type { Silhouette } from './silhouette.ts'

/** Width of the shoulders in widths of the chest, as in size charts. */
export const shoulderToChest = 0.85

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
    neckLeft: left.neck,
    neckRight: right.neck,
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
