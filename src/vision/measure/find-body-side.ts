import type { Point } from '../picture.ts'
import { bodyWidth, centralRun, extent, runsAt, type Silhouette } from './silhouette.ts'

/** One side of the body, below where the sleeve parts from it. */
export interface BodySide {
  /** Row of the silhouette from which on the body's own edge is seen. */
  readonly row: number
  /** Distance of the body's edge from the centre line for each row; NaN where it is not seen. */
  readonly edges: Float32Array
}

/**
 * Rows over which a step is looked for, as a share of the height; and the smallest step, as a share of half the body.
 */
const reachShare = 0.05
const minStep = 0.055

/** Pixels across for one down: a taken-in waist narrows by less, a sleeve's underside by more. */
const minSlope = 0.33

/** As a share of the largest step: an earlier one can be the armpit's, and the largest the end of a cuff. */
const clearStep = 0.6

/** Share of the usual half width: anything narrower is the neck below a hood, or the end of a hem. */
const minBody = 0.55

/** Shares of the height between which an armpit lies, and down to which a sleeve can lie against the body. */
const armpitRows = { first: 0.08, last: 0.65 }
const lastRowShare = 0.93

/** Share of the height: a side that begins lower is the curve of a hem. */
const lastStart = 0.95

/** In halves of the body: if the edge moves out by more from one row to the next, something lies against the body. */
const jump = 0.05

/** Pixels across for one down: a skirt widens by less. */
const flare = 0.5

/**
 * Going down, the run on the centre line is suddenly cut to the body's width where the sleeve parts from it: at the
 * armpit, or further down if the sleeve lies against the body.
 */
export function findBodySide(silhouette: Silhouette, side: 1 | -1): BodySide | undefined {
  const { height } = silhouette
  const edges = edgesOf(silhouette, side)
  const row =
    findStep(edges, height * armpitRows.first, height * armpitRows.last) ??
    findStep(edges, height * armpitRows.last, height * lastRowShare)
  return row === undefined || row > height * lastStart ? undefined : { row, edges: follow(edges, row) }
}

/** The side of a body that no sleeve lies against, from a share of its height on. */
export function bareSide(silhouette: Silhouette, side: 1 | -1, from: number): BodySide {
  const row = Math.round(silhouette.height * from)
  return { row, edges: edgesOf(silhouette, side).fill(Number.NaN, 0, row) }
}

/**
 * Whether a point of the outline belongs to the body and not to a sleeve beside it.
 * @param slack share of the body's half by which it may lie further out
 */
export function isOnBody({ top }: Silhouette, { edges }: BodySide, [u, v]: Point, slack = 0.02): boolean {
  // The lowest rows of a hem are narrower than the body, or slant away from the centre line.
  const edge = edges.subarray(0, Math.max(0, Math.round(v - top) - 1)).findLast((value) => !Number.isNaN(value))
  return edge !== undefined && Math.abs(u) <= edge * (1 + slack) + 3
}

function edgesOf({ rows }: Silhouette, side: 1 | -1): Float32Array {
  return Float32Array.from(rows, (runs) => {
    const run = centralRun(runs)
    return run === undefined ? Number.NaN : side * (side > 0 ? run.right : run.left)
  })
}

function findStep(edges: Float32Array, from: number, to: number): number | undefined {
  const reach = Math.max(3, Math.round(edges.length * reachShare))
  const minWidth = usualEdge(edges) * minBody
  /** 0 if the step is too small. */
  const stepAt = (row: number) => {
    const below = edges[row + reach] ?? Number.NaN
    const step = (edges[row] ?? Number.NaN) - below
    return below > minWidth && step >= below * minStep && step >= reach * minSlope ? step : 0
  }
  const rows = Array.from({ length: Math.max(0, Math.ceil(to) - Math.round(from)) }, (_, row) => Math.round(from) + row)
  const largest = rows.reduce((best, row) => (stepAt(row) > stepAt(best) ? row : best), rows[0] ?? 0)
  if (stepAt(largest) === 0) return undefined
  const first = rows.find((row) => stepAt(row) >= stepAt(largest) * clearStep) ?? largest
  const early = settle(edges, first, reach)
  // If something lies against the body at the largest step, that step is the end of a cuff.
  return early < largest && Number.isNaN(follow(edges, early)[largest]) ? early : settle(edges, largest, reach)
}

/** The median of the edges in the middle of the garment, of the body or of a sleeve beside it. */
function usualEdge(edges: Float32Array): number {
  const middle = edges.slice(Math.round(edges.length * 0.4), Math.round(edges.length * 0.6)).filter((edge) => edge > 0)
  return middle.sort()[middle.length >> 1] ?? 0
}

/** The step may continue for more rows: the body begins where the edge stops moving. */
function settle(edges: Float32Array, from: number, reach: number): number {
  const body = edges[from + reach] ?? 0
  const rest = Math.max(2, Math.round(reach / 3))
  let row = from
  const isMoving = () =>
    edges[row]! > body * 1.03 + 1 || (edges[row] ?? 0) - (edges[row + rest] ?? 0) >= rest * minSlope
  while (row < from + 2 * reach && row < edges.length - 1 && isMoving()) row++
  return row
}

/** Leaves out the rows in which something lies against the body. */
function follow(edges: Float32Array, from: number): Float32Array {
  const body = new Float32Array(edges.length).fill(Number.NaN)
  const start = edges[from] ?? Number.NaN
  let [last, lastRow] = [start, from]
  for (let row = from; row < edges.length; row++) {
    const maxEdge = last + Math.max(2, start * jump) + (row - lastRow - 1) * flare
    if (!(edges[row]! <= maxEdge)) continue
    body[row] = last = edges[row]!
    lastRow = row
  }
  return body
}

export interface Armpits {
  readonly v: number
  readonly left: number
  readonly right: number
}

/** Share of the height down to which an armpit can lie. */
const lastArmpitRowShare = 0.68

/** Share of the height by which folds and shadows shift the two armpits apart. */
const shift = 0.04

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
  if (row > height * lastArmpitRowShare) return undefined
  if (!(Math.abs(leftEdge - rightEdge) <= (leftEdge + rightEdge) * difference)) return undefined
  return { v: top + row, left: -leftEdge, right: rightEdge }
}

/** NaN where the side is not seen. */
function edgeNear({ row: first, edges }: BodySide, row: number): number {
  return edges.subarray(Math.max(first, row)).find((edge) => !Number.isNaN(edge)) ?? Number.NaN
}

/** How far below the top an armhole ends, in widths of the garment there, or of the body if the garment is narrower. */
const armholeDepth = { min: 0.27, max: 0.7 }

/** Share of the height down to which an armhole can end. */
const lowest = 0.65

/** If the outline shows no armholes, the chest is measured so far below the top, if the garment is no wider below. */
const straight = { from: 0.42, to: 0.9, widening: 0.1 }

/** Pixels of width for one down by which an armhole widens faster than what lies below; and as a share of the most. */
const armholeGrowth = { min: 0.2, share: 0.1 }

/** The least width of a garment half way up its armholes, in widths of the chest. */
const minAbove = 0.55

/**
 * The chest of a garment without sleeves. It widens along its armholes, which end where it no longer widens faster than
 * further down. (A flared skirt widens all the way.)
 */
export function findArmholes(silhouette: Silhouette): Armpits | undefined {
  const { top, height } = silhouette
  const body = bodyWidth(silhouette)
  const span = Math.max(3, Math.round(height * 0.02))
  /** From edge to edge: between straps there is no cloth. */
  const width = (row: number) => {
    const all = extent(runsAt(silhouette, top + row))
    return all === undefined ? 0 : all.right - all.left
  }
  const growth = (row: number, rows: number) => (width(row + rows) - width(row)) / rows
  const excess = (row: number) => growth(row, span) - Math.max(0, growth(row + 4 * span, 6 * span))
  const depth = (row: number) => row / Math.max(1, body, width(row))
  const rows = Array.from({ length: Math.round(height * lowest) }, (_, row) => row)
  const within = rows.filter((row) => depth(row) >= armholeDepth.min && depth(row) <= armholeDepth.max)
  const steepest = within.reduce((best, row) => (excess(row) > excess(best) ? row : best), within[0] ?? 0)
  const minExcess = Math.max(armholeGrowth.min, excess(steepest) * armholeGrowth.share)
  const row =
    excess(steepest) > minExcess
      ? within.find((at) => at > steepest + span / 2 && excess(at) <= minExcess && excess(at + span / 2) <= minExcess)
      : straightFrom(rows, width, depth)
  const run = row === undefined ? undefined : extent(runsAt(silhouette, top + row))
  if (row === undefined || run === undefined) return undefined
  // A narrow run half way up is a collar, and no armhole was found.
  if (width(row / 2) < (run.right - run.left) * minAbove) return undefined
  return { v: top + row, left: run.left, right: run.right }
}

function straightFrom(rows: readonly number[], width: (row: number) => number, depth: (row: number) => number) {
  const from = rows.find((row) => depth(row) >= straight.from)
  if (from === undefined) return undefined
  const below = rows.filter((row) => row > from && depth(row) <= straight.to)
  return below.every((row) => width(row) <= width(from) * (1 + straight.widening)) ? from : undefined
}
