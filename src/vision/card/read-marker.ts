import type { Picture, Point } from '../picture.ts'
import { cellsOfMarker, markers, type Quad } from './card-layout.ts'
import { fitHomography, project } from './homography.ts'

/** Interpolates the green channel. Positions outside the picture use the nearest pixel. */
function levelAt({ width, height, data }: Picture, [x, y]: Point): number {
  const atX = Math.max(0, Math.min(width - 1.001, x))
  const atY = Math.max(0, Math.min(height - 1.001, y))
  const left = Math.floor(atX)
  const top = Math.floor(atY)
  const at = (top * width + left) * 4 + 1
  const below = at + width * 4
  const upper = data[at]! + (data[at + 4]! - data[at]!) * (atX - left)
  const lower = data[below]! + (data[below + 4]! - data[below]!) * (atX - left)
  return upper + (lower - upper) * (atY - top)
}

/** Minimum difference in levels between the white around a marker and its black frame. */
const minContrast = 14

/** Number of frame cells that may look white, because of a spot or the edge of a shadow. */
const maxFrameErrors = 2

/** Codes differ by 6 bits, so one wrong bit is corrected. */
const maxBitErrors = 1

const unitSquare: Quad = [
  [-0.5, -0.5],
  [0.5, -0.5],
  [0.5, 0.5],
  [-0.5, 0.5],
]

interface Sample {
  readonly column: number
  readonly row: number
  readonly level: number
}

/** A marker's index in the card layout, and its corners clockwise from its own upper left. */
export interface ReadMarker {
  readonly index: number
  readonly corners: Quad
}

export function readMarker(picture: Picture, quad: Quad): ReadMarker | undefined {
  const map = fitHomography(unitSquare, quad)
  if (map === undefined) return undefined
  const cell = (column: number, row: number): Sample => ({
    column,
    row,
    level: levelOf(picture, map, column, row),
  })
  const frame: Sample[] = []
  const white: Sample[] = []
  const last = cellsOfMarker - 1
  for (let step = 0; step < last; step++) {
    frame.push(cell(step, 0), cell(last, step), cell(last - step, last), cell(0, last - step))
    // Samples little more than one cell outside the marker, because the paper may end there.
    white.push(cell(step, -1.1), cell(last + 1.1, step), cell(last - step, last + 1.1), cell(-1.1, last - step))
  }
  if (mean(white) - mean(frame) < minContrast) return undefined
  // Compares each cell with frame and paper nearby, because a part may lie in shade.
  const isWhite = ({ column, row, level }: Sample, others: readonly Sample[]) =>
    level * 2 > nearby(white, column, row) + nearby(others, column, row)
  const errors = frame.filter((sample) =>
    isWhite(
      sample,
      frame.filter((other) => other !== sample),
    ),
  ).length
  if (errors > maxFrameErrors) return undefined
  let code = 0
  for (let row = 1; row < last; row++)
    for (let column = 1; column < last; column++) code = (code << 1) | (isWhite(cell(column, row), frame) ? 1 : 0)
  for (let turn = 0; turn < 4; turn++, code = turnCode(code)) {
    const index = markers.findIndex((marker) => countBits(marker.code ^ code) <= maxBitErrors)
    if (index !== -1) return { index, corners: turnQuad(quad, turn) }
  }
  return undefined
}

function levelOf(picture: Picture, map: readonly number[], column: number, row: number): number {
  const at = (x: number, y: number) =>
    levelAt(picture, project(map, [(column + 0.5 + x) / cellsOfMarker - 0.5, (row + 0.5 + y) / cellsOfMarker - 0.5]))
  return (at(0, 0) + at(-0.2, -0.2) + at(0.2, -0.2) + at(-0.2, 0.2) + at(0.2, 0.2)) / 5
}

const mean = (samples: readonly Sample[]) => samples.reduce((sum, { level }) => sum + level, 0) / samples.length

function nearby(samples: readonly Sample[], column: number, row: number): number {
  let sum = 0
  let weights = 0
  for (const sample of samples) {
    const weight = 1 / ((sample.column - column) ** 2 + (sample.row - row) ** 2)
    sum += sample.level * weight
    weights += weight
  }
  return sum / weights
}

function turnCode(code: number): number {
  let turned = 0
  for (let row = 0; row < 4; row++)
    for (let column = 0; column < 4; column++) turned = (turned << 1) | ((code >> (15 - (column * 4 + 3 - row))) & 1)
  return turned
}

const turnQuad = (quad: Quad, turns: number): Quad => [
  quad[turns % 4]!,
  quad[(turns + 1) % 4]!,
  quad[(turns + 2) % 4]!,
  quad[(turns + 3) % 4]!,
]

function countBits(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Number of positions at which an edge is searched, and the share of the edge excluded at both ends. */
const places = 24
const margin = 0.1

/** Search range on both sides of an edge, as a share of a cell and limited in pixels. */
const cellShare = 0.45
const reach = { min: 1.5, max: 6 }

const minEdgeContrast = 10

/** Share of positions on an edge at which the edge must be visible. */
const minFound = 0.4

interface Line {
  readonly point: Point
  readonly direction: Point
}

/** Refines corners by fitting a line to each edge. Returns undefined if an edge is not visible. */
export function refineCorners(picture: Picture, quad: Quad): Quad | undefined {
  const once = refineOnce(picture, quad)
  return once === undefined ? undefined : refineOnce(picture, once)
}

function refineOnce(picture: Picture, quad: Quad): Quad | undefined {
  const lines = quad.map((from, index) => findEdge(picture, from, quad[(index + 1) % 4]!))
  const [first, second, third, fourth] = lines.map((line, index) => cross(lines[(index + 3) % 4], line))
  if (first === undefined || second === undefined || third === undefined || fourth === undefined) return undefined
  return [first, second, third, fourth]
}

function findEdge(picture: Picture, from: Point, to: Point): Line | undefined {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  const [dx, dy] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
  const range = Math.max(reach.min, Math.min(reach.max, (length / cellsOfMarker) * cellShare))
  const found: Point[] = []
  for (let place = 0; place < places; place++) {
    const along = (margin + ((1 - 2 * margin) * place) / (places - 1)) * length
    const [x, y] = [from[0] + dx * along, from[1] + dy * along]
    const level = (out: number) => levelAt(picture, [x + dy * out, y - dx * out])
    const out = findStep(level, range)
    if (out !== undefined) found.push([x + dy * out, y - dx * out])
  }
  return found.length < places * minFound ? undefined : fitLine(found)
}

function findStep(level: (out: number) => number, range: number): number | undefined {
  const step = 0.5
  const [inner, outer] = [(level(-range) + level(-range + step)) / 2, (level(range) + level(range - step)) / 2]
  if (outer - inner < minEdgeContrast) return undefined
  const middle = (inner + outer) / 2
  let before = level(-range)
  for (let out = -range + step; out <= range + 1e-9; out += step) {
    const value = level(out)
    if (before < middle && value >= middle) return out - step + ((middle - before) / (value - before)) * step
    before = value
  }
  return undefined
}

/** Fits a line by total least squares, and refits it without outliers. */
function fitLine(points: readonly Point[]): Line {
  const line = fitAll(points)
  const off = ([x, y]: Point) =>
    Math.abs((x - line.point[0]) * line.direction[1] - (y - line.point[1]) * line.direction[0])
  const limit = 2 * (points.map(off).sort((a, b) => a - b)[points.length >> 1] ?? 0) + 0.05
  return fitAll(points.filter((point) => off(point) <= limit))
}

function fitAll(points: readonly Point[]): Line {
  const count = points.length
  const x = points.reduce((sum, point) => sum + point[0], 0) / count
  const y = points.reduce((sum, point) => sum + point[1], 0) / count
  let [xx, xy, yy] = [0, 0, 0]
  for (const point of points) {
    xx += (point[0] - x) ** 2
    xy += (point[0] - x) * (point[1] - y)
    yy += (point[1] - y) ** 2
  }
  const turn = Math.atan2(2 * xy, xx - yy) / 2
  return { point: [x, y], direction: [Math.cos(turn), Math.sin(turn)] }
}

function cross(a: Line | undefined, b: Line | undefined): Point | undefined {
  if (a === undefined || b === undefined) return undefined
  const sine = a.direction[0] * b.direction[1] - a.direction[1] * b.direction[0]
  if (Math.abs(sine) < 0.2) return undefined
  const along = ((b.point[0] - a.point[0]) * b.direction[1] - (b.point[1] - a.point[1]) * b.direction[0]) / sine
  return [a.point[0] + a.direction[0] * along, a.point[1] + a.direction[1] * along]
}
