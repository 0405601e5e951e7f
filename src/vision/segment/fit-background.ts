import type { Picture } from '../picture.ts'

/** Per channel six factors of 1, x, y, x², xy, y² with x and y from -1 to 1 over the picture. */
export interface BackgroundModel {
  readonly factors: readonly [Float64Array, Float64Array, Float64Array]
  /** Spread of the background's pixels around the model, in levels of 255 (scaled median deviation). */
  readonly noise: number
  /** Share of the border's pixels that the model explains. */
  readonly agreement: number
}

const TERMS = 6
const ROUNDS = 5
const BAND_SHARE = 0.035
const MAX_SAMPLES = 1300

/**
 * Models a plain background and its slow changes of light by a quadratic surface, fitted by least squares to a band
 * along the border. Samples that stand off (a garment that reaches the border, a hook) are left out of the next round.
 */
export function fitBackground(picture: Picture): BackgroundModel {
  const samples = sampleBorder(picture)
  const count = samples.length / 5
  const kept = new Uint8Array(count).fill(1)
  const residuals = new Float32Array(count)
  let factors = solveAll(samples, kept, 1)
  let noise = 0
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < count; i++) {
      residuals[i] = 0
      const terms = termsAt(samples[i * 5]!, samples[i * 5 + 1]!)
      for (let channel = 0; channel < 3; channel++) {
        residuals[i] = Math.max(residuals[i]!, Math.abs(samples[i * 5 + 2 + channel]! - dot(factors[channel]!, terms)))
      }
    }
    const sorted = residuals.slice().sort()
    // The largest of three channels has its median near one standard deviation.
    noise = sorted[Math.floor(count * 0.45)]!
    const limit = Math.max(2.5, noise * 3)
    for (let i = 0; i < count; i++) kept[i] = residuals[i]! <= limit ? 1 : 0
    factors = solveAll(samples, kept, round < 2 ? 3 : TERMS)
  }
  return { factors, noise, agreement: kept.reduce((sum, value) => sum + value, 0) / count }
}

/** The background's red, green and blue at a row, written to `out` pixel after pixel. */
export function backgroundRow(
  { factors }: BackgroundModel,
  y: number,
  width: number,
  height: number,
  out: Float32Array,
) {
  const v = height > 1 ? (2 * y) / (height - 1) - 1 : 0
  for (let channel = 0; channel < 3; channel++) {
    const [a, b, c, d, e, f] = factors[channel] as unknown as [number, number, number, number, number, number]
    const constant = a + c * v + f * v * v
    const linear = b + e * v
    for (let x = 0; x < width; x++) {
      const u = width > 1 ? (2 * x) / (width - 1) - 1 : 0
      out[x * 3 + channel] = constant + u * (linear + d * u)
    }
  }
}

/** x, y, red, green, blue of pixels in the border band. */
function sampleBorder({ width, height, data }: Picture): Float32Array {
  const band = Math.max(1, Math.round(Math.min(width, height) * BAND_SHARE))
  const area = 2 * band * (width + height)
  const step = Math.max(1, Math.floor(area / MAX_SAMPLES))
  const samples: number[] = []
  let seen = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x >= band && x < width - band && y >= band && y < height - band) {
        x = width - band - 1
        continue
      }
      // A prime stride keeps the samples from lining up in columns.
      if (seen++ % step !== 0) continue
      const at = (y * width + x) * 4
      samples.push(
        width > 1 ? (2 * x) / (width - 1) - 1 : 0,
        height > 1 ? (2 * y) / (height - 1) - 1 : 0,
        data[at]!,
        data[at + 1]!,
        data[at + 2]!,
      )
    }
  }
  return Float32Array.from(samples)
}

function termsAt(x: number, y: number): number[] {
  return [1, x, y, x * x, x * y, y * y]
}

function dot(factors: Float64Array, terms: readonly number[]): number {
  return terms.reduce((sum, term, index) => sum + factors[index]! * term, 0)
}

/** Normal equations with a touch of ridge, so that a picture one pixel wide has a solution too. */
function solveAll(samples: Float32Array, kept: Uint8Array, terms: number): [Float64Array, Float64Array, Float64Array] {
  const matrix = Array.from({ length: terms }, () => new Float64Array(terms + 3))
  for (let i = 0; i < kept.length; i++) {
    if (kept[i] === 0) continue
    const values = termsAt(samples[i * 5]!, samples[i * 5 + 1]!)
    for (let row = 0; row < terms; row++) {
      const line = matrix[row]!
      for (let column = 0; column < terms; column++) line[column] = line[column]! + values[row]! * values[column]!
      for (let channel = 0; channel < 3; channel++)
        line[terms + channel] = line[terms + channel]! + values[row]! * samples[i * 5 + 2 + channel]!
    }
  }
  for (let row = 0; row < terms; row++) matrix[row]![row] = matrix[row]![row]! + 1e-6
  eliminate(matrix, terms)
  return [0, 1, 2].map((channel) => {
    const factors = new Float64Array(TERMS)
    for (let row = 0; row < terms; row++) factors[row] = matrix[row]![terms + channel]! / matrix[row]![row]!
    return factors
  }) as [Float64Array, Float64Array, Float64Array]
}

function eliminate(matrix: Float64Array[], terms: number) {
  for (let pivot = 0; pivot < terms; pivot++) {
    for (let row = 0; row < terms; row++) {
      if (row === pivot) continue
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!
      for (let column = pivot; column < terms + 3; column++)
        matrix[row]![column] = matrix[row]![column]! - factor * matrix[pivot]![column]!
    }
  }
}
