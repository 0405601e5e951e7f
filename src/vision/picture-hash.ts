import type { Picture } from './picture.ts'

/**
 * What tells whether two pictures are the same one, also rescaled or recompressed. Both are decimal numbers of more
 * bits than a number of JavaScript can hold.
 */
export interface PictureHash {
  /** 63 bits. */
  readonly bits: string
  /** 12 levels of brightness, 5 bits each: those of four quarters of the picture's middle in red, green and blue. */
  readonly colours: string
}

/**
 * Pictures are the same if at most so many of the 63 bits of their hashes differ, and each of their colours by so many
 * levels. Of 1,539 photographs this finds 99 % again that were scaled to 60 % or compressed to quality 40, 92 % from
 * which 1 % was cut on each side, and 40 % from which 2 % was cut at a corner. It confuses 3 of 14.6 million pairs of
 * different garments, all of them among the 3.6 million that one fixed camera took, of which the bits alone confuse
 * 454 (`test/eval/photos/same-picture.ts`).
 */
export const maxBits = 4
export const maxLevels = 1

/** The picture is looked at as so many cells in width and in height. */
const cells = 32

const lowFrequencies = 8

export const levelBits = 5
export const levelCount = 12
const stepsOfLevel = 2 ** (8 - levelBits)

/**
 * The perceptual hash of a picture. `bits` are those of pHash (Zauner, Implementation and Benchmarking of Perceptual
 * Image Hash Functions, 2010): which of the lowest 8 x 8 frequencies of the cosine transform of the grey picture are
 * above their median, without the first one, which is its brightness. They are alike for different garments of one
 * shape that are photographed in one place, which `colours` tells apart: in the middle lies the garment.
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

/** Numbers of `width` bits each as one. */
const pack = (values: readonly number[], width: number): string =>
  values.reduce((packed, value) => (packed << BigInt(width)) + BigInt(value), 0n).toString()

/** The mean of each cell, row by row, in red, green and blue. */
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

/** `waves[f * cells + x]`: the wave of frequency `f` at cell `x`. */
const waves = Float64Array.from({ length: lowFrequencies * cells }, (_, index) =>
  Math.cos((Math.PI * (2 * (index % cells) + 1) * Math.floor(index / cells)) / (2 * cells)),
)

/** The lowest frequencies of a two-dimensional cosine transform, row by row. */
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

/** The levels of the picture's middle half in both directions, which is four quarters of 8 x 8 cells. */
function levels(values: Float64Array): number[] {
  const size = cells / 4
  const sums = [0, 0, 0, 0]
  for (let y = size; y < 3 * size; y++) {
    for (let x = size; x < 3 * size; x++)
      sums[(y < 2 * size ? 0 : 2) + (x < 2 * size ? 0 : 1)]! += values[y * cells + x]! / size ** 2
  }
  return sums.map((mean) => Math.min(Math.round(mean / stepsOfLevel), 2 ** levelBits - 1))
}
