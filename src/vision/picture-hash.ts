import type { Picture } from './picture.ts'

/** A perceptual hash that survives recompression. Decimal strings, because numbers have too few bits. */
export interface PictureHash {
  readonly bits: string
  /** Red, green and blue of the centre's four quarters, 5 bits each. */
  readonly colours: string
}

/** Maximum differences between two hashes of the same picture. The model card has the error rates. */
export const maxBits = 4
export const maxLevels = 1

const cells = 32

const lowFrequencies = 8

export const levelBits = 5
export const levelCount = 12
const stepsOfLevel = 2 ** (8 - levelBits)

/**
 * Computes the perceptual hash. `bits` is pHash (Zauner 2010): a bit for each of the 63 lowest frequencies of the grey
 * cosine transform, set if the frequency is above the median. `colours` tell apart garments of one shape in one place.
 */
export function hashPicture(picture: Picture): PictureHash {
  const means = cellMeans(picture)
  const [red, green, blue] = means
  const grey = red.map((value, cell) => 0.299 * value + 0.587 * green[cell]! + 0.114 * blue[cell]!)
  const frequencies = transform(grey).slice(1)
  const median = frequencies.toSorted((a, b) => a - b)[(frequencies.length - 1) / 2]!
  return {
    bits: pack(
      Array.from(frequencies, (frequency) => (frequency > median ? 1 : 0)),
      1,
    ),
    colours: pack(means.flatMap(levels), levelBits),
  }
}

const pack = (values: readonly number[], width: number): string =>
  values.reduce((packed, value) => (packed << BigInt(width)) + BigInt(value), 0n).toString()

/** Returns the means of grid cells, row by row, for red, green and blue. */
function cellMeans({ width, height, data }: Picture): [Float64Array, Float64Array, Float64Array] {
  const sums = [0, 1, 2].map(() => new Float64Array(cells * cells)) as [Float64Array, Float64Array, Float64Array]
  const [red, green, blue] = sums
  const counts = new Float64Array(cells * cells)
  const columns = Uint8Array.from({ length: width }, (_, x) => Math.floor((x * cells) / width))
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor((y * cells) / height) * cells
    for (let x = 0; x < width; x++, at += 4) {
      const cell = row + columns[x]!
      red[cell]! += data[at]!
      green[cell]! += data[at + 1]!
      blue[cell]! += data[at + 2]!
      counts[cell]!++
    }
  }
  for (const sum of sums) sum.forEach((value, cell) => (sum[cell] = value / counts[cell]!))
  return sums
}

/** `waves[f * cells + x]` is the cosine of frequency `f` at cell `x`. */
const waves = Float64Array.from({ length: lowFrequencies * cells }, (_, index) =>
  Math.cos((Math.PI * (2 * (index % cells) + 1) * Math.floor(index / cells)) / (2 * cells)),
)

/** Returns the lowest 8 x 8 frequencies of the cosine transform, row by row. */
function transform(values: Float64Array): Float64Array {
  const result = new Float64Array(lowFrequencies * lowFrequencies)
  for (let y = 0; y < cells; y++) {
    for (let across = 0; across < lowFrequencies; across++) {
      let sum = 0
      for (let x = 0; x < cells; x++) sum += values[y * cells + x]! * waves[across * cells + x]!
      for (let down = 0; down < lowFrequencies; down++)
        result[down * lowFrequencies + across]! += sum * waves[down * cells + y]!
    }
  }
  return result
}

function levels(values: Float64Array): number[] {
  const size = cells / 4
  const sums = [0, 0, 0, 0]
  for (let y = size; y < 3 * size; y++) {
    for (let x = size; x < 3 * size; x++)
      sums[(y < 2 * size ? 0 : 2) + (x < 2 * size ? 0 : 1)]! += values[y * cells + x]! / size ** 2
  }
  return sums.map((mean) => Math.min(Math.round(mean / stepsOfLevel), 2 ** levelBits - 1))
}
