/**
 * Reverses a row's filter in place (PNG specification, section 9). Returns false for an unknown filter.
 * @param filter 0 to 4: none, sub, up, average, Paeth
 * @param row the filtered bytes, without the filter byte
 * @param above the previous row, unfiltered; zeros for the first row
 * @param step bytes per pixel, at least 1
 */
export function unfilter(filter: number, row: Uint8Array, above: Uint8Array, step: number): boolean {
  const length = row.length
  if (filter === 0) return true
  if (filter === 1) {
    for (let i = step; i < length; i++) row[i] = row[i]! + row[i - step]!
    return true
  }
  if (filter === 2) {
    for (let i = 0; i < length; i++) row[i] = row[i]! + above[i]!
    return true
  }
  if (filter === 3) {
    for (let i = 0; i < length; i++) row[i] = row[i]! + (((i >= step ? row[i - step]! : 0) + above[i]!) >> 1)
    return true
  }
  if (filter !== 4) return false
  for (let i = 0; i < length; i++) {
    const left = i >= step ? row[i - step]! : 0
    const up = above[i]!
    const corner = i >= step ? above[i - step]! : 0
    const guess = left + up - corner
    const toLeft = Math.abs(guess - left)
    const toUp = Math.abs(guess - up)
    const toCorner = Math.abs(guess - corner)
    row[i] = row[i]! + (toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner)
  }
  return true
}

/** Adam7 interlacing (section 8.2): the first pixel of each of the seven passes, and the distances between its pixels. */
export const PASSES = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
] as const

/** The single pass of a file without interlacing. */
export const WHOLE = [{ x: 0, y: 0, dx: 1, dy: 1 }] as const
