import { centralRun, type Run, type Silhouette } from './silhouette.ts'

export interface Armpits {
  /** v of the row where the body begins below the sleeves. */
  readonly v: number
  readonly left: number
  readonly right: number
  /** How far the sleeves reach beyond the body there, as a share of the body's width; the smaller side. */
  readonly step: number
}

/**
 * The armpits are where, going down, the run on the centre line is suddenly cut to the body's width, because the sleeves
 * part from it. Each side is looked for between 8 and 65 % of the height; `undefined` where either shows no such step.
 */
export function findArmpits(silhouette: Silhouette): Armpits | undefined {
  const left = sideStep(silhouette, (run) => -run.left)
  const right = sideStep(silhouette, (run) => run.right)
  if (left === undefined || right === undefined) return undefined
  // Folds and shadows shift one side more than the other: both are taken at the lower one's height.
  const row = Math.round((left.row + right.row) / 2)
  const body = left.edge + right.edge
  if (body <= 0 || Math.abs(left.row - right.row) > silhouette.height * 0.12) return undefined
  return { v: silhouette.top + row, left: -left.edge, right: right.edge, step: Math.min(left.step, right.step) / body }
}

/** Rows over which the step is looked for, as a share of the height; and the least step, as a share of half the body. */
const REACH = 0.05
const LEAST_STEP = 0.055

/** Pixels across for one down: a taken-in waist narrows by less, a sleeve's underside by more. */
const LEAST_SLOPE = 0.33

function sideStep({ rows, height }: Silhouette, edgeOf: (run: Run) => number) {
  const reach = Math.max(3, Math.round(height * REACH))
  const edge = (row: number) => {
    const run = centralRun(rows[row] ?? [])
    return run === undefined ? undefined : edgeOf(run)
  }
  let best: { row: number; edge: number; step: number } | undefined
  for (let row = Math.round(height * 0.08); row < height * 0.65; row++) {
    const above = edge(row)
    const below = edge(row + reach)
    if (above === undefined || below === undefined || below <= 0) continue
    const step = above - below
    if (best === undefined || step > best.step) best = { row, edge: below, step }
  }
  if (best === undefined || best.step < best.edge * LEAST_STEP || best.step < reach * LEAST_SLOPE) return undefined
  // The step may go on for more rows: the body begins where the edge has come to rest.
  const rest = Math.max(2, Math.round(reach / 3))
  let row = best.row
  const settles = (at: number) => (edge(at) ?? 0) - (edge(at + rest) ?? 0) < rest * LEAST_SLOPE
  while (row < height * 0.68 && (edge(row)! > best.edge * 1.03 + 1 || !settles(row))) row++
  return { row, edge: edge(row) ?? best.edge, step: best.step }
}
