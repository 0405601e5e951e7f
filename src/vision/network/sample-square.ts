import type { Picture } from '../picture.ts'

/** A square region in pixels of a picture, by edges rather than pixel centres. It may reach beyond the picture. */
export interface Square {
  readonly left: number
  readonly top: number
  readonly side: number
}

interface Spans {
  readonly starts: Int32Array
  readonly counts: Int32Array
  readonly weights: Float32Array
  readonly stride: number
  readonly outside: Float32Array
}

/**
 * Scales a square region to `size` x `size` RGB bytes by exact area averaging, or by linear interpolation if it is
 * enlarged. Areas outside the picture have the level `outside` in all channels.
 */
export function sampleSquare(
  { width, height, data }: Picture,
  square: Square,
  size: number,
  outside: number,
): Uint8Array {
  const columns = spansOf(square.left, square.side, size, width)
  const rows = spansOf(square.top, square.side, size, height)
  const across = averageRows(data, width, height, columns, rows, size)
  const out = new Uint8Array(size * size * 3)
  const line = new Float32Array(size * 3)
  for (let y = 0, at = 0; y < size; y++) {
    line.fill(0)
    for (let index = 0; index < rows.counts[y]!; index++) {
      const weight = rows.weights[y * rows.stride + index]!
      const from = (rows.starts[y]! + index) * line.length
      for (let place = 0; place < line.length; place++) line[place]! += across[from + place]! * weight
    }
    for (let x = 0, place = 0; x < size; x++) {
      const base = outside * (1 - (1 - rows.outside[y]!) * (1 - columns.outside[x]!)) + 0.5
      for (let channel = 0; channel < 3; channel++) out[at++] = line[place++]! + base
    }
  }
  return out
}

/** Scales all needed rows horizontally: `height` x `size` x 3. */
function averageRows(
  data: Uint8ClampedArray,
  width: number,
  height: number,
  columns: Spans,
  rows: Spans,
  size: number,
): Float32Array {
  const across = new Float32Array(height * size * 3)
  const used = (y: number) => rows.starts[y]! + rows.counts[y]!
  let [first, last] = [height, 0]
  for (let y = 0; y < size; y++) {
    if (rows.counts[y] === 0) continue
    first = Math.min(first, rows.starts[y]!)
    last = Math.max(last, used(y))
  }
  for (let row = first; row < last; row++) {
    for (let x = 0; x < size; x++) {
      let red = 0
      let green = 0
      let blue = 0
      const start = columns.starts[x]!
      for (let index = 0; index < columns.counts[x]!; index++) {
        const weight = columns.weights[x * columns.stride + index]!
        const at = (row * width + start + index) * 4
        red += data[at]! * weight
        green += data[at + 1]! * weight
        blue += data[at + 2]! * weight
      }
      const to = (row * size + x) * 3
      across[to] = red
      across[to + 1] = green
      across[to + 2] = blue
    }
  }
  return across
}

/** Computes the weights of a box filter as wide as an output pixel, or of linear interpolation when enlarging. */
function spansOf(from: number, side: number, size: number, length: number): Spans {
  const step = side / size
  const reach = Math.max(1, step / 2)
  const stride = Math.ceil(2 * reach) + 2
  const starts = new Int32Array(size)
  const counts = new Int32Array(size)
  const outside = new Float32Array(size)
  const weights = new Float32Array(size * stride)
  for (let out = 0; out < size; out++) {
    const centre = from + (out + 0.5) * step
    const first = Math.floor(centre - reach)
    const taps: number[] = []
    let total = 0
    let inside = 0
    let start = -1
    for (let index = first; index < first + stride; index++) {
      const away = Math.abs(index + 0.5 - centre)
      const covered = Math.min(index + 1, centre + reach) - Math.max(index, centre - reach)
      const weight = step < 2 ? Math.max(0, 1 - away) : Math.max(0, covered)
      if (weight === 0) continue
      total += weight
      if (index < 0 || index >= length) continue
      if (start === -1) start = index
      inside += weight
      taps.push(weight)
    }
    starts[out] = Math.max(0, start)
    counts[out] = taps.length
    outside[out] = total === 0 ? 1 : 1 - inside / total
    taps.forEach((weight, index) => (weights[out * stride + index] = weight / total))
  }
  return { starts, counts, weights, stride, outside }
}
