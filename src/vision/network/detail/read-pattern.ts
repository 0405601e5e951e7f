import type { Picture } from '../../picture.ts'
import type { Mask } from '../../segment/mask.ts'
import { toPicture } from '../../shape/find-axis.ts'
import type { Shape } from '../../shape/read-shape.ts'
import type { BodyFrame } from './body-frame.ts'

const COLUMNS = 56
const ROWS = 64

/**
 * How colour varies over the body of the garment: how much, along which direction it repeats, how regularly. Sampled from
 * the view, whose pixels have averaged texture and noise away.
 */
export function readPattern(view: Picture, mask: Mask, shape: Shape, { half, top, bottom }: BodyFrame): number[] {
  const step = (half * 1.6) / COLUMNS
  const rows = Math.max(8, Math.min(ROWS, Math.floor(((bottom - top) * 0.72) / step)))
  const startV = top + (bottom - top) * 0.22
  const count = COLUMNS * rows
  const colours = [new Float32Array(count), new Float32Array(count), new Float32Array(count)]
  const covered = new Uint8Array(count)
  for (let row = 0, index = 0; row < rows; row++) {
    for (let column = 0; column < COLUMNS; column++, index++) {
      const [x, y] = toPicture(shape.silhouette.axis, (column - (COLUMNS - 1) / 2) * step, startV + row * step)
      const at = Math.round(y) * view.width + Math.round(x)
      if (x < 0 || y < 0 || x >= view.width || y >= view.height || mask.data[at] !== 1) continue
      covered[index] = 1
      const red = view.data[at * 4]!
      const green = view.data[at * 4 + 1]!
      const blue = view.data[at * 4 + 2]!
      colours[0]![index] = 0.3 * red + 0.6 * green + 0.1 * blue
      colours[1]![index] = red - green
      colours[2]![index] = (red + green) / 2 - blue
    }
  }
  for (const channel of colours) flatten(channel, covered, rows)
  const wave = project(colours, covered)
  return describe(wave, covered, rows)
}

/** Takes out the mean and the slow slope of light and folds, row-wise and column-wise. */
function flatten(values: Float32Array, covered: Uint8Array, rows: number) {
  let sum = 0
  let count = 0
  let [su, sv, suu, svv, su1, sv1] = [0, 0, 0, 0, 0, 0]
  for (let index = 0; index < values.length; index++) {
    if (covered[index] === 0) continue
    const u = (index % COLUMNS) / COLUMNS - 0.5
    const v = Math.floor(index / COLUMNS) / rows - 0.5
    sum += values[index]!
    count++
    su += values[index]! * u
    sv += values[index]! * v
    suu += u * u
    svv += v * v
    su1 += u
    sv1 += v
  }
  if (count === 0) return
  const mean = sum / count
  const slopeU = (su - mean * su1) / Math.max(1e-6, suu)
  const slopeV = (sv - mean * sv1) / Math.max(1e-6, svv)
  for (let index = 0; index < values.length; index++) {
    if (covered[index] === 0) continue
    values[index] =
      values[index]! -
      mean -
      slopeU * ((index % COLUMNS) / COLUMNS - 0.5) -
      slopeV * (Math.floor(index / COLUMNS) / rows - 0.5)
  }
}

/** The three channels along the direction in which they vary most (power iteration on their covariance). */
function project(colours: Float32Array[], covered: Uint8Array): Float32Array {
  const covariance = [0, 1, 2].map((a) =>
    [0, 1, 2].map((b) => colours[a]!.reduce((sum, value, index) => sum + value * colours[b]![index]!, 0)),
  )
  let direction = [1, 0.9, 0.8]
  for (let round = 0; round < 12; round++) {
    const next = covariance.map(
      (line) => line[0]! * direction[0]! + line[1]! * direction[1]! + line[2]! * direction[2]!,
    )
    const length = Math.hypot(...next) || 1
    direction = next.map((value) => value / length)
  }
  return Float32Array.from(
    covered,
    (_, index) =>
      colours[0]![index]! * direction[0]! + colours[1]![index]! * direction[1]! + colours[2]![index]! * direction[2]!,
  )
}

function describe(wave: Float32Array, covered: Uint8Array, rows: number): number[] {
  let total = 0
  let count = 0
  for (let index = 0; index < wave.length; index++) {
    total += wave[index]! ** 2
    count += covered[index]!
  }
  const variance = total / Math.max(1, count)
  const rowShare = lineShare(wave, covered, rows, true) / (variance + 4)
  const columnShare = lineShare(wave, covered, rows, false) / (variance + 4)
  const { best, second } = repeats(wave, covered, rows, variance)
  const strong = Math.sqrt(variance) * 1.2
  let extreme = 0
  let central = 0
  for (let index = 0; index < wave.length; index++) {
    if (covered[index] === 0 || Math.abs(wave[index]!) < Math.max(14, strong)) continue
    extreme++
    const u = Math.abs((index % COLUMNS) / COLUMNS - 0.5)
    const v = Math.floor(index / COLUMNS) / rows
    if (u < 0.26 && v < 0.45) central++
  }
  return [
    Math.log(variance + 1) / 4,
    rowShare,
    columnShare,
    Math.min(rowShare, columnShare),
    best,
    second,
    extreme / Math.max(1, count),
    central / Math.max(1, extreme),
    neighbours(wave, covered, rows, variance),
  ]
}

/** Variance of the means of rows (or of columns): all of it where stripes run that way. */
function lineShare(wave: Float32Array, covered: Uint8Array, rows: number, byRow: boolean): number {
  const lines = byRow ? rows : COLUMNS
  const sums = new Float64Array(lines)
  const counts = new Float64Array(lines)
  for (let index = 0; index < wave.length; index++) {
    if (covered[index] === 0) continue
    const line = byRow ? Math.floor(index / COLUMNS) : index % COLUMNS
    sums[line] = sums[line]! + wave[index]!
    counts[line] = counts[line]! + 1
  }
  let weighted = 0
  let all = 0
  for (let line = 0; line < lines; line++) {
    if (counts[line]! < 6) continue
    weighted += counts[line]! * (sums[line]! / counts[line]!) ** 2
    all += counts[line]!
  }
  return all === 0 ? 0 : weighted / all
}

/** The highest autocorrelation at shifts that are no mere neighbourhood, and the highest at another direction. */
function repeats(wave: Float32Array, covered: Uint8Array, rows: number, variance: number) {
  const found: { value: number; dx: number; dy: number }[] = []
  for (let dy = 0; dy <= 14; dy++) {
    for (let dx = dy === 0 ? 3 : -14; dx <= 14; dx++) {
      if (Math.hypot(dx, dy) < 3.2 || (dx + dy) % 2 !== 0) continue
      let sum = 0
      let count = 0
      for (let y = 0; y + dy < rows; y += 2) {
        for (let x = Math.max(0, -dx); x < Math.min(COLUMNS, COLUMNS - dx); x += 2) {
          const a = y * COLUMNS + x
          const b = (y + dy) * COLUMNS + x + dx
          if (covered[a] === 0 || covered[b] === 0) continue
          sum += wave[a]! * wave[b]!
          count++
        }
      }
      if (count > 60) found.push({ value: sum / count / (variance + 4), dx, dy })
    }
  }
  found.sort((a, b) => b.value - a.value)
  const first = found[0]
  const other = found.find(
    ({ dx, dy }) =>
      first !== undefined &&
      Math.abs(dx * first.dy - dy * first.dx) > 0.5 * Math.hypot(dx, dy) * Math.hypot(first.dx, first.dy),
  )
  return { best: first?.value ?? 0, second: other?.value ?? 0 }
}

/** Correlation with the next cell: noise and fine texture have none. */
function neighbours(wave: Float32Array, covered: Uint8Array, rows: number, variance: number): number {
  let sum = 0
  let count = 0
  for (let index = 0; index + 1 < rows * COLUMNS; index++) {
    if (covered[index] === 0 || covered[index + 1] === 0 || index % COLUMNS === COLUMNS - 1) continue
    sum += wave[index]! * wave[index + 1]!
    count++
  }
  return sum / Math.max(1, count) / (variance + 1)
}
