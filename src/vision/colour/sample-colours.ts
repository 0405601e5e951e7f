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
  const { width, height, data: covered } = mask
  for (let y = 0, index = 0; y < height; y++) {
    const up = -Math.min(y, MARGIN) * width
    const down = Math.min(height - 1 - y, MARGIN) * width
    for (let x = 0; x < width; x++, index++) {
      const left = x < MARGIN ? -x : -MARGIN
      const right = x >= width - MARGIN ? width - 1 - x : MARGIN
      const sum =
        covered[index]! +
        covered[index + left]! +
        covered[index + right]! +
        covered[index + up]! +
        covered[index + down]!
      if (sum === 5) inner.push(index)
      else if (sum === 0) outer.push(index)
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
