import type { Mask, Picture } from '../picture.ts'

/** Pixel indices away from the garment's edge, where cloth and background blend. */
export interface Places {
  readonly inside: Int32Array
  readonly outside: Int32Array
}

/** Pixels at most this close to the edge are excluded. */
const margin = 2

export function findPlaces({ width, height, data }: Mask): Places {
  const inside = new Int32Array(data.length)
  const outside = new Int32Array(data.length)
  let insideCount = 0
  let outsideCount = 0
  for (let y = 0, index = 0; y < height; y++) {
    const up = -Math.min(y, margin) * width
    const down = Math.min(height - 1 - y, margin) * width
    for (let x = 0; x < width; x++, index++) {
      const left = x < margin ? -x : -margin
      const right = x >= width - margin ? width - 1 - x : margin
      const sum = data[index]! + data[index + left]! + data[index + right]! + data[index + up]! + data[index + down]!
      if (sum === 5) inside[insideCount++] = index
      else if (sum === 0) outside[outsideCount++] = index
    }
  }
  return { inside: inside.subarray(0, insideCount), outside: outside.subarray(0, outsideCount) }
}

/** Picks one place per step by the golden ratio, which samples evenly whatever the period of stripes is. */
export function pickPlace(places: Int32Array, step: number): number {
  return places[Math.floor(((step * 0.6180339887) % 1) * places.length)]!
}

/** Sampled colours: red, green and blue bytes of one sample after another. */
export interface ColourSamples {
  readonly inside: Uint8Array
  readonly outside: Uint8Array
}

const maxInside = 1000
const maxOutside = 500

const minPixels = 50

/** Samples the garment and its surroundings. Either is empty if it has too few pixels. */
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
