import type { Picture } from '../picture.ts'
import { type Places, pickPlace } from './find-places.ts'

/** Bytes of red, green and blue, one sample after another. */
export interface ColourSamples {
  readonly inside: Uint8Array
  readonly outside: Uint8Array
}

const maxInside = 1000
const maxOutside = 500

/** Fewer pixels are no sample. */
const minPixels = 50

/** Pixels of the garment and of its surroundings. Either is empty where there are too few. */
export function sampleColours({ data }: Picture, { inside, outside }: Places): ColourSamples {
  return { inside: pick(data, inside, maxInside), outside: pick(data, outside, maxOutside) }
}

function pick(data: Uint8ClampedArray, places: Int32Array, count: number): Uint8Array {
  if (places.length < minPixels) return new Uint8Array(0)
  const samples = new Uint8Array(count * 3)
  for (let step = 0; step < count; step++) {
    const at = pickPlace(places, step) * 4
    samples.set(data.subarray(at, at + 3), step * 3)
  }
  return samples
}
