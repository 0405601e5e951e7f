import type { Mask, Point } from '../picture.ts'

/** The garment's frame: u across from its centre line, v down along it, in pixels of the picture. */
interface Axis {
  readonly origin: Point
  readonly degrees: number
}

const maxDegrees = 20

/** Minimum share of the garment that its mirror image must cover. Otherwise there is no centre line. */
const minSymmetry = 0.72

const maxSamples = 1500

/** Finds the axis of best mirror symmetry within 20 degrees of upright. Asymmetric garments count as upright. */
export function findAxis(mask: Mask): Axis {
  const { xs, ys, centre } = sample(mask)
  const scoreAt = (degrees: number, shift: number) => symmetry(mask, xs, ys, centre, degrees, shift)
  let best = { degrees: 0, shift: 0, score: -1 }
  const consider = (degrees: number, shift: number) => {
    // Slightly prefers upright for shapes that are symmetric about every axis.
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
  const isUpright = scoreAt(best.degrees, best.shift) < minSymmetry
  const degrees = isUpright ? 0 : best.degrees
  const shift = isUpright ? 0 : best.shift
  const turn = (degrees * Math.PI) / 180
  return { origin: [centre[0] + Math.cos(turn) * shift, centre[1] + Math.sin(turn) * shift], degrees }
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
  let count = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[y * width + x] === 0) continue
      // A jittered stride avoids a regular sampling grid.
      if ((count++ - x * 7 - y * 13) % step === 0) {
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

export interface Run {
  readonly left: number
  readonly right: number
}

/** A garment's outline, and rows of cloth runs one pixel apart, in the garment's frame. */
export interface Silhouette {
  readonly axis: Axis
  /** v of the first row. Row i lies at `top + i`. */
  readonly top: number
  readonly rows: readonly (readonly Run[])[]
  readonly outline: readonly Point[]
  readonly height: number
  readonly left: number
  readonly right: number
}

/** Cuts an outline and its holes, in pixels of the picture, into rows of the garment's frame. */
export function cutRows(outline: readonly Point[], axis: Axis, holes: readonly (readonly Point[])[] = []): Silhouette {
  const turned = outline.map((point) => toFrame(axis, point))
  const top = Math.ceil(Math.min(...turned.map(([, v]) => v)))
  const bottom = Math.floor(Math.max(...turned.map(([, v]) => v)))
  const crossings: number[][] = Array.from({ length: Math.max(1, bottom - top + 1) }, () => [])
  for (const border of [turned, ...holes.map((hole) => hole.map((point) => toFrame(axis, point)))]) {
    border.forEach(([u0, v0], index) => {
      const [u1, v1] = border[(index + 1) % border.length]!
      const low = Math.min(v0, v1)
      const high = Math.max(v0, v1)
      for (let v = Math.ceil(low); v < high; v++) crossings[v - top]?.push(u0 + ((v - v0) / (v1 - v0)) * (u1 - u0))
    })
  }
  const rows = crossings.map((us) => {
    us.sort((a, b) => a - b)
    const runs: Run[] = []
    for (let i = 0; i + 1 < us.length; i += 2)
      if (us[i + 1]! - us[i]! >= 1) runs.push({ left: us[i]!, right: us[i + 1]! })
    return runs
  })
  const us = turned.map(([u]) => u)
  return { axis, top, rows, outline: turned, height: rows.length, left: Math.min(...us), right: Math.max(...us) }
}

export function runsAt({ rows, top }: Silhouette, v: number): readonly Run[] {
  return rows[Math.max(0, Math.min(rows.length - 1, Math.round(v - top)))] ?? []
}

export function extent(runs: readonly Run[]): Run | undefined {
  const first = runs[0]
  const last = runs.at(-1)
  return first === undefined || last === undefined ? undefined : { left: first.left, right: last.right }
}

export interface FramePoint {
  readonly name: string
  readonly place: Point
  readonly reliability: number
}

export type At = (name: string) => FramePoint

/** Minimum reliability of a landmark that other landmarks are judged by. */
export const maybeSeen = 0.4

export interface FrameLine {
  readonly name: string
  readonly from: Point
  readonly to: Point
}

export interface Layout {
  readonly landmarks: Readonly<Record<string, Point>>
  readonly lines: readonly FrameLine[]
}
