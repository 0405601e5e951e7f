import type { Armpits } from './find-armpits.ts'
import { bodyWidth, extent, runsAt, type Silhouette } from './silhouette.ts'

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
