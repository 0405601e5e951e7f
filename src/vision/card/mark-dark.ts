import type { Picture } from '../picture.ts'

/** Reach of the neighbourhood that a pixel is compared with, in pixels of the reduced picture. */
const reach = 9

/** A dark pixel has less than this share of the mean around it, and this many levels less. */
const share = 0.92
const levels = 3

/**
 * Marks with 1 what is darker than its neighbourhood, so that shade across the picture does not matter (Bradley and
 * Roth 2007). Works on the green channel, the sharpest one, of a picture reduced by `factor`.
 */
export function markDark({ width: fullWidth, height: fullHeight, data: full }: Picture, factor: 1 | 2) {
  const width = Math.floor(fullWidth / factor)
  const height = Math.floor(fullHeight / factor)
  const grey = new Uint8Array(width * height)
  for (let y = 0, at = 0; y < height; y++) {
    let from = y * factor * fullWidth * 4 + 1
    const below = factor === 1 ? 0 : fullWidth * 4
    const right = factor === 1 ? 0 : 4
    for (let x = 0; x < width; x++, at++, from += factor * 4)
      grey[at] = (full[from]! + full[from + right]! + full[from + below]! + full[from + below + right]!) >> 2
  }
  return { width, height, data: compareWithMeans(grey, width, height) }
}

/** The sums of columns are updated from row to row, so that the cost does not depend on the reach. */
function compareWithMeans(grey: Uint8Array, width: number, height: number): Uint8Array {
  const dark = new Uint8Array(grey.length)
  const columns = new Uint32Array(width)
  const addRow = (y: number, sign: 1 | -1) => {
    if (y < 0 || y >= height) return
    for (let x = 0, at = y * width; x < width; x++, at++) columns[x] = columns[x]! + sign * grey[at]!
  }
  for (let y = 0; y < reach; y++) addRow(y, 1)
  for (let y = 0; y < height; y++) {
    addRow(y + reach, 1)
    addRow(y - reach - 1, -1)
    const rows = Math.min(height - 1, y + reach) - Math.max(0, y - reach) + 1
    let sum = 0
    for (let x = 0; x < Math.min(width, reach); x++) sum += columns[x]!
    for (let x = 0, at = y * width; x < width; x++, at++) {
      if (x + reach < width) sum += columns[x + reach]!
      if (x > reach) sum -= columns[x - reach - 1]!
      const count = rows * (Math.min(width - 1, x + reach) - Math.max(0, x - reach) + 1)
      if ((grey[at]! + levels) * count < sum * share) dark[at] = 1
    }
  }
  return dark
}
