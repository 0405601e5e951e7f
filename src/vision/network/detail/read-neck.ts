import { type BodyFrame, sampleLuma } from './body-frame.ts'

const COLUMNS = 41
const ROWS = 56

/** The neckline's depth and contrast, and how busy the region of collar and hood is against the cloth below. */
export function readNeck(frame: BodyFrame): number[] {
  const step = frame.half / 50
  const patch = sampleLuma(frame, -20 * step, frame.top, step, COLUMNS, ROWS)
  const body = sampleLuma(frame, -20 * step, frame.top + (frame.bottom - frame.top) * 0.5, step, COLUMNS, 20)
  const level = mean(body)
  const column = (row: number, from: number, to: number) => {
    let sum = 0
    for (let x = from; x <= to; x++) sum += patch[row * COLUMNS + x]!
    return sum / (to - from + 1)
  }
  let depth = 0
  let strongest = 0
  for (let row = 4; row < ROWS - 4; row++) {
    const step =
      (column(row + 2, 19, 21) + column(row + 3, 19, 21) - column(row - 2, 19, 21) - column(row - 3, 19, 21)) / 2
    if (Math.abs(step) > Math.abs(strongest)) {
      strongest = step
      depth = row
    }
  }
  const inside = column(Math.max(3, Math.round(depth * 0.5)), 18, 22)
  // A V closes steadily, a round neck at its end: the bare width half way down tells.
  const half = Math.round(depth * 0.6)
  let width = 0
  for (let x = 0; x < COLUMNS; x++)
    if (Math.abs(patch[half * COLUMNS + x]! - inside) < Math.abs(strongest) * 0.5) width++
  return [
    depth / ROWS,
    strongest / Math.max(20, level),
    inside / Math.max(20, level) - 1,
    width / COLUMNS,
    busyness(patch, COLUMNS, 6, 26) / (busyness(body, COLUMNS, 2, 18) + 2),
    busyness(patch, COLUMNS, 26, 50) / (busyness(body, COLUMNS, 2, 18) + 2),
  ]
}

function mean(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function busyness(values: Float32Array, columns: number, fromRow: number, toRow: number): number {
  let sum = 0
  for (let row = fromRow; row < toRow; row++) {
    for (let x = 1; x < columns - 1; x++) {
      const at = row * columns + x
      sum += Math.abs(values[at + 1]! - values[at - 1]!) + Math.abs(values[at + columns]! - values[at - columns]!)
    }
  }
  return sum / ((toRow - fromRow) * (columns - 2))
}
