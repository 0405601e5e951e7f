import type { BodySide } from './find-body-side.ts'
import type { Silhouette } from './silhouette.ts'

export interface Armpits {
  readonly v: number
  readonly left: number
  readonly right: number
}

/** Share of the height down to which an armpit can lie. */
const lastRowShare = 0.68

/** Share of the height by which folds and shadows shift the two armpits apart. */
const shift = 0.04

/** Pixels across for one down: a body narrows by less, and a sleeve's own hem by more. */
const minSlope = 0.33

/** Share of the height below the armpit's corner at which the side is straight. */
const below = 0.008

/** As a share of both together: if the sides' distances from the centre line differ by more, one is not the body's. */
const difference = 0.12

/**
 * The armpits are where the body's sides begin. If one sleeve lies against the body, its side begins too low: then the
 * other side's height counts, and this side is taken as straight up to there. But if the upper side still narrows, it
 * was found on the sleeve's own hem, and the lower one counts.
 */
export function findArmpits(
  { top, height }: Silhouette,
  [left, right]: readonly [BodySide | undefined, BodySide | undefined],
): Armpits | undefined {
  if (left === undefined || right === undefined) return undefined
  const [upper, lower] = left.row < right.row ? [left, right] : [right, left]
  const narrows = edgeNear(upper, upper.row) - edgeNear(upper, lower.row) > (lower.row - upper.row) * minSlope
  const between = lower.row - upper.row <= height * shift ? (upper.row + lower.row) / 2 : undefined
  const row = Math.round(between ?? (narrows ? lower.row : upper.row))
  const [leftEdge, rightEdge] = [left, right].map((side) => edgeNear(side, row + Math.round(height * below)))
  if (leftEdge === undefined || rightEdge === undefined) return undefined
  if (row > height * lastRowShare) return undefined
  if (!(Math.abs(leftEdge - rightEdge) <= (leftEdge + rightEdge) * difference)) return undefined
  return { v: top + row, left: -leftEdge, right: rightEdge }
}

/** NaN where the side is not seen. */
function edgeNear({ row: first, edges }: BodySide, row: number): number {
  return edges.subarray(Math.max(first, row)).find((edge) => !Number.isNaN(edge)) ?? Number.NaN
}
