import type { Point } from '../picture.ts'
import type { Mask } from '../segment/mask.ts'

/** The garment's own frame: u across from its centre line, v down along it, in pixels of the picture. */
export interface Axis {
  readonly origin: Point
  /** Turn of the garment against upright, clockwise. */
  readonly degrees: number
  /** Share of the garment that its mirror image covers, 0 to 1. */
  readonly symmetry: number
}

const maxDegrees = 20
const maxSamples = 1500

/**
 * Finds the centre line of a garment as the axis of the best mirror symmetry within 20 degrees of upright. What is not
 * symmetric (a shoe from the side) is taken as upright.
 */
export function findAxis(mask: Mask): Axis {
  const { xs, ys, centre } = sample(mask)
  const scoreAt = (degrees: number, shift: number) => symmetry(mask, xs, ys, centre, degrees, shift)
  let best = { degrees: 0, shift: 0, score: -1 }
  const consider = (degrees: number, shift: number) => {
    // A slight preference for upright decides for what is symmetric about every axis.
    const score = scoreAt(degrees, shift) - Math.abs(degrees) * 2e-4
    if (score > best.score) best = { degrees, shift, score }
  }
  const size = Math.sqrt(xs.length === 0 ? 1 : (mask.width * mask.height) / 4)
  for (let degrees = -maxDegrees; degrees <= maxDegrees; degrees += 2.5) consider(degrees, 0)
  for (const step of [1.2, 0.6, 0.3]) {
    const { degrees, shift } = best
    for (const turn of [-2, -1, 0, 1, 2])
      for (const move of [-1, 0, 1]) consider(degrees + turn * step, shift + move * step * size * 0.008)
  }
  const score = scoreAt(best.degrees, best.shift)
  const degrees = score < 0.72 ? 0 : best.degrees
  const shift = score < 0.72 ? 0 : best.shift
  const turn = (degrees * Math.PI) / 180
  return { origin: [centre[0] + Math.cos(turn) * shift, centre[1] + Math.sin(turn) * shift], degrees, symmetry: score }
}

export function toPicture({ origin, degrees }: Axis, u: number, v: number): Point {
  const turn = (degrees * Math.PI) / 180
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  return [origin[0] + u * cos - v * sin, origin[1] + u * sin + v * cos]
}

export function toFrame({ origin, degrees }: Axis, [x, y]: Point): Point {
  const turn = (degrees * Math.PI) / 180
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  const dx = x - origin[0]
  const dy = y - origin[1]
  return [dx * cos + dy * sin, dy * cos - dx * sin]
}

function sample({ width, height, data }: Mask) {
  let area = 0
  for (let index = 0; index < data.length; index++) area += data[index]!
  const step = Math.max(1, Math.floor(area / maxSamples))
  const xs: number[] = []
  const ys: number[] = []
  let seen = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[y * width + x] === 0) continue
      // Skipping by a jittered stride keeps samples off a regular grid.
      if ((seen++ - x * 7 - y * 13) % step === 0) {
        xs.push(x)
        ys.push(y)
      }
    }
  }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  return { xs, ys, centre: [mean(xs), mean(ys)] as Point }
}

function symmetry(
  { width, height, data }: Mask,
  xs: number[],
  ys: number[],
  centre: Point,
  degrees: number,
  shift: number,
): number {
  const turn = (degrees * Math.PI) / 180
  const cos = Math.cos(turn)
  const sin = Math.sin(turn)
  let hits = 0
  for (let index = 0; index < xs.length; index++) {
    const u = (xs[index]! - centre[0]) * cos + (ys[index]! - centre[1]) * sin - shift
    const x = Math.round(xs[index]! - 2 * u * cos)
    const y = Math.round(ys[index]! - 2 * u * sin)
    if (x >= 0 && y >= 0 && x < width && y < height) hits += data[y * width + x]!
  }
  return hits / Math.max(1, xs.length)
}
