import { type BodyFrame, sampleLuma } from './body-frame.ts'

/** Half the strip along the centre line, in cells; a cell is a two-hundredth of the chest's width, about a quarter cm. */
const HALF_COLUMNS = 26
const COLUMNS = HALF_COLUMNS * 2 + 1

/** Buttons of a double-breasted front stand about this many cells from the centre line. */
const DOUBLE = 21

/** Where a plain front shows nothing: what is found here too belongs to the pattern. */
const CONTROL = 13

/**
 * What shows along the centre line, as numbers near 0 to 1 (or a few): rows of discs (buttons), upright lines (placket,
 * zip) and their like beside the centre, by which a pattern gives itself away.
 */
export function readFront(frame: BodyFrame): number[] {
  const step = frame.half / 100
  const rows = Math.max(24, Math.min(420, Math.round((frame.bottom - frame.top) / step)))
  const strip = sampleLuma(frame, -HALF_COLUMNS * step, frame.top, step, COLUMNS, rows)
  const centre = readDiscs(strip, rows, 0)
  const double = readDiscs(strip, rows, DOUBLE)
  const control = readDiscs(strip, rows, CONTROL)
  const lines = [-2, -1, 0, 1, 2].map((column) => readLine(strip, rows, column, 0.3, 0.94))
  const line = lines.reduce((best, next) => (next.coverage > best.coverage ? next : best))
  const upper = Math.max(...[-2, -1, 0, 1, 2].map((column) => readLine(strip, rows, column, 0.12, 0.3).coverage))
  const edges = Math.max(...[6, 7, 8].map((column) => readLine(strip, rows, column, 0.3, 0.94).coverage))
  const upperEdges = Math.max(...[6, 7, 8].map((column) => readLine(strip, rows, column, 0.14, 0.28).coverage))
  const besides = Math.max(...[-15, -13, 12, 14].map((column) => readLine(strip, rows, column, 0.3, 0.94).coverage))
  return [
    ...centre,
    ...double,
    control[0]!,
    control[1]!,
    line.coverage,
    line.flicker,
    line.strength / 40,
    upper,
    edges,
    upperEdges,
    besides,
  ]
}

/** Count, regularity, spacing, first and last place, contrast of discs in a column. */
function readDiscs(strip: Float32Array, rows: number, column: number): number[] {
  const response = new Float32Array(rows)
  for (let row = 2; row < rows - 2; row++) response[row] = discAt(strip, row, HALF_COLUMNS + column)
  const typical = Float32Array.from(response, Math.abs).sort()[Math.floor(rows * 0.6)]!
  const least = Math.max(7, typical * 2.2)
  const peaks: number[] = []
  for (let row = 5; row < rows - 5; row++) {
    const value = Math.abs(response[row]!)
    if (value < least) continue
    let isPeak = true
    for (let near = -5; near <= 5 && isPeak; near++)
      if (Math.abs(response[row + near]!) > value || (near < 0 && Math.abs(response[row + near]!) === value))
        isPeak = false
    if (isPeak) peaks.push(row)
  }
  if (peaks.length < 2) return [peaks.length / 8, 0, 0, 0, 0, 0]
  const gaps = peaks.slice(1).map((row, index) => row - peaks[index]!)
  const usual = [...gaps].sort((a, b) => a - b)[gaps.length >> 1]!
  const regular = gaps.filter((gap) => Math.abs(gap - usual) < usual * 0.15 + 1).length
  const contrast = peaks.reduce((sum, row) => sum + Math.abs(response[row]!), 0) / peaks.length
  return [peaks.length / 8, regular / 6, usual / 60, peaks[0]! / rows, peaks.at(-1)! / rows, contrast / 60]
}

/** How much a spot of three cells differs from the cloth on both sides of it. */
function discAt(strip: Float32Array, row: number, column: number): number {
  let inside = 0
  let left = 0
  let right = 0
  for (let dy = -1; dy <= 1; dy++) {
    const at = (row + dy) * COLUMNS + column
    inside += strip[at - 1]! + strip[at]! + strip[at + 1]!
    left += strip[at - 5]! + strip[at - 4]!
    right += strip[at + 4]! + strip[at + 5]!
  }
  const a = inside / 9 - left / 6
  const b = inside / 9 - right / 6
  // An edge of a stripe differs on one side only.
  return a * b <= 0 ? 0 : Math.abs(a) < Math.abs(b) ? a : b
}

/** The share of rows in which a column is darker (or in which it is lighter) than both its sides, whichever is larger. */
function readLine(strip: Float32Array, rows: number, column: number, from: number, to: number) {
  const at = HALF_COLUMNS + column
  let darker = 0
  let lighter = 0
  let flicker = 0
  let strength = 0
  let before = 0
  const first = Math.floor(rows * from)
  const last = Math.floor(rows * to)
  for (let row = first; row < last; row++) {
    const own = strip[row * COLUMNS + at]!
    const left = own - strip[row * COLUMNS + at - 3]!
    const right = own - strip[row * COLUMNS + at + 3]!
    const step = left * right <= 0 ? 0 : Math.abs(left) < Math.abs(right) ? left : right
    if (step < -4) darker++
    if (step > 4) lighter++
    flicker += Math.abs(step - before)
    strength += Math.abs(step)
    before = step
  }
  const count = Math.max(1, last - first)
  return {
    coverage: Math.max(darker, lighter) / count,
    flicker: strength > 0 ? flicker / strength : 0,
    strength: strength / count,
  }
}
