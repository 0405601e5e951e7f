import type { Picture } from '../picture.ts'
import type { Mask } from '../segment/mask.ts'

/** Bytes of red, green and blue, one sample after another. */
export interface ColourSamples {
  readonly inside: Uint8Array
  readonly outside: Uint8Array
}

const INSIDE = 1000
const OUTSIDE = 500

/** Pixels nearer than this to the garment's edge blend cloth and background. */
const MARGIN = 2

/** Fewer cannot be a sample. */
const LEAST = 50

/** Pixels of the garment and of its surroundings, away from the edge between them. Either is empty where there are too few. */
export function sampleColours({ data }: Picture, mask: Mask): ColourSamples {
  const inner: number[] = []
  const outer: number[] = []
  const { width, height } = mask
  const edges = edgeCounts(mask)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const covered = coveredAround(edges, width, height, x, y)
      if (covered === FULL) inner.push(y * width + x)
      else if (covered === 0) outer.push(y * width + x)
    }
  }
  return { inside: pick(data, inner, INSIDE), outside: pick(data, outer, OUTSIDE) }
}

/** A golden-ratio walk takes an even sample that no stripe falls in step with. */
function pick(data: Uint8ClampedArray, places: readonly number[], count: number): Uint8Array {
  if (places.length < LEAST) return new Uint8Array(0)
  const samples = new Uint8Array(count * 3)
  for (let step = 0; step < count; step++) {
    const at = places[Math.floor(((step * 0.6180339887) % 1) * places.length)]! * 4
    samples.set(data.subarray(at, at + 3), step * 3)
  }
  return samples
}

const SIDE = 2 * MARGIN + 1
const FULL = SIDE * SIDE

/** Summed area table with a row and a column of zeros before it. */
function edgeCounts({ width, height, data }: Mask): Uint32Array {
  const sums = new Uint32Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += data[y * width + x]!
      sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1]! + row
    }
  }
  return sums
}

/** Covered pixels of the square around a pixel; beyond the picture's edge all count like the pixel's row or column. */
function coveredAround(sums: Uint32Array, width: number, height: number, x: number, y: number): number {
  const [left, right] = [Math.max(0, x - MARGIN), Math.min(width, x + MARGIN + 1)]
  const [top, bottom] = [Math.max(0, y - MARGIN), Math.min(height, y + MARGIN + 1)]
  const at = (column: number, row: number) => sums[row * (width + 1) + column]!
  const covered = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top)
  return covered === (right - left) * (bottom - top) ? FULL : covered
}
