import type { Armpits } from './find-armpits.ts'
import type { BodySide } from './find-body-side.ts'
import type { FrameLine } from './landmarks.ts'
import type { Silhouette } from './silhouette.ts'

/** Shares of the height: a waist lies lower than the armpits by the first, and higher than the hem by the second. */
const belowArmpits = 0.05
const aboveHem = 0.15

/** How far below the armpits a waist can lie, as a multiple of their depth. */
const reachShare = 1.6

/** Where no armpits are seen, a waist is looked for in the middle of the garment. */
const middle = { from: 0.25, to: 0.65 }

/** Where no armpits are seen, the body widens from its waist both up and down by at least this share. */
const minWidening = 0.04

/** Share of the height: a narrowest row nearer to an end of the range is no waist; the body only widens or narrows. */
const inset = 0.01

/** The narrowest row of the body below the armpits; none where there is no such row. */
export function locateWaist(
  { top, height }: Silhouette,
  [left, right]: readonly [BodySide | undefined, BodySide | undefined],
  chest: Armpits | undefined,
  bottom: number,
): FrameLine[] {
  if (left === undefined || right === undefined) return []
  const from = chest === undefined ? height * middle.from : chest.v - top + height * belowArmpits
  const to =
    chest === undefined
      ? height * middle.to
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
