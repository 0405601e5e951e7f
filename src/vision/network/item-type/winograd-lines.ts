/**
 * The one-dimensional transforms of Winograd's F(4, 3) (arXiv 1509.09308, section 4.3). Each reads a line of values from
 * `at` on, `step` apart, and writes another from `toAt` on, `toStep` apart; two dimensions are one after the other.
 */
type Numbers = Float32Array | Float64Array

/** G: 3 weights to 6 points. */
export function kernelLine(from: Numbers, at: number, step: number, to: Numbers, toAt: number, toStep: number): void {
  const [a, b, c] = [from[at]!, from[at + step]!, from[at + 2 * step]!]
  to[toAt] = a / 4
  to[toAt + toStep] = -(a + b + c) / 6
  to[toAt + 2 * toStep] = (b - a - c) / 6
  to[toAt + 3 * toStep] = a / 24 + b / 12 + c / 6
  to[toAt + 4 * toStep] = a / 24 - b / 12 + c / 6
  to[toAt + 5 * toStep] = c
}

/** B': 6 inputs to 6 points. */
export function inputLine(from: Numbers, at: number, step: number, to: Numbers, toAt: number, toStep: number): void {
  const a = from[at]!
  const b = from[at + step]!
  const c = from[at + 2 * step]!
  const d = from[at + 3 * step]!
  const e = from[at + 4 * step]!
  const f = from[at + 5 * step]!
  to[toAt] = 4 * a - 5 * c + e
  to[toAt + toStep] = d + e - 4 * (b + c)
  to[toAt + 2 * toStep] = 4 * (b - c) - d + e
  to[toAt + 3 * toStep] = 2 * (d - b) + e - c
  to[toAt + 4 * toStep] = 2 * (b - d) + e - c
  to[toAt + 5 * toStep] = 4 * b - 5 * d + f
}

/** A': 6 points to 4 outputs. */
export function outputLine(from: Numbers, at: number, step: number, to: Numbers, toAt: number, toStep: number): void {
  const a = from[at]!
  const b = from[at + step]!
  const c = from[at + 2 * step]!
  const d = from[at + 3 * step]!
  const e = from[at + 4 * step]!
  const f = from[at + 5 * step]!
  to[toAt] = a + b + c + d + e
  to[toAt + toStep] = b - c + 2 * (d - e)
  to[toAt + 2 * toStep] = b + c + 4 * (d + e)
  to[toAt + 3 * toStep] = b - c + 8 * (d - e) + f
}
