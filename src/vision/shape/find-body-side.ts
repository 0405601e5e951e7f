import type { Point } from '../picture.ts'
import { centralRun, type Silhouette } from './silhouette.ts'

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

/** Of the usual half width: anything narrower is the neck below a hood, or the end of a hem. */
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
