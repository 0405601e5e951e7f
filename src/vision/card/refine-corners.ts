import type { Picture, Point } from '../picture.ts'
import { cellsOfMarker, type Quad } from './card-layout.ts'
import { levelAt } from './level-at.ts'

/** Places at which an edge is looked for. Not near its ends, where two edges blur into each other. */
const places = 24
const margin = 0.1

/** Share of a cell around an edge in which it is looked for, and the same in pixels. */
const cellShare = 0.45
const reach = { min: 1.5, max: 6 }

/** Levels from black to white that make an edge. */
const minContrast = 10

/** Places on an edge that must be found, as a share. */
const minFound = 0.4

interface Line {
  readonly point: Point
  readonly direction: Point
}

/**
 * Corners to a fraction of a pixel: each edge is a straight line through the places where the level is midway between
 * black and white, and corners are where two lines cross. `undefined` where an edge is not seen.
 */
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

/** The edge between two corners of a clockwise quadrilateral, black inside. */
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

/** Where the level rises through the middle between both ends of `-range` to `range`. */
function findStep(level: (out: number) => number, range: number): number | undefined {
  const step = 0.5
  const [inner, outer] = [(level(-range) + level(-range + step)) / 2, (level(range) + level(range - step)) / 2]
  if (outer - inner < minContrast) return undefined
  const middle = (inner + outer) / 2
  let before = level(-range)
  for (let out = -range + step; out <= range + 1e-9; out += step) {
    const value = level(out)
    if (before < middle && value >= middle) return out - step + ((middle - before) / (value - before)) * step
    before = value
  }
  return undefined
}

/** Total least squares, twice: the second time without outliers. */
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
