import type { Point } from '../../vision/picture.ts'

/** Pixels that belong to one piece of text, such as a line or a word. */
export interface Piece {
  /** Pixels by column, of which the first is `left`: how many there are, and the sum of their rows. */
  readonly left: number
  readonly counts: Float64Array
  readonly rowSums: Float64Array
  readonly area: number
  readonly hull: readonly Point[]
}

/** Pixels from this probability on belong to text. */
const minText = 0.3

const minMean = 0.5

const minArea = 12

export function findPieces(map: Float32Array, width: number, height: number): Piece[] {
  const isSeen = new Uint8Array(map.length)
  const pixels = new Int32Array(map.length)
  const pieces: Piece[] = []
  for (let start = 0; start < map.length; start++) {
    if (isSeen[start] === 1 || map[start]! < minText) continue
    let [done, count, sum] = [0, 1, 0]
    pixels[0] = start
    isSeen[start] = 1
    while (done < count) {
      const at = pixels[done++]!
      sum += map[at]!
      const x = at % width
      const y = (at - x) / width
      for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy++) {
        for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
          const next = at + dy * width + dx
          if (isSeen[next] === 1 || map[next]! < minText) continue
          isSeen[next] = 1
          pixels[count++] = next
        }
      }
    }
    if (count >= minArea && sum >= minMean * count) pieces.push(toPiece(pixels.subarray(0, count), width))
  }
  return pieces
}

function toPiece(pixels: Int32Array, width: number): Piece {
  let [left, right] = [width, 0]
  const rows = new Map<number, { first: number; last: number }>()
  for (const at of pixels) {
    const x = at % width
    const y = (at - x) / width
    left = Math.min(left, x)
    right = Math.max(right, x)
    const row = rows.get(y)
    if (row === undefined) rows.set(y, { first: x, last: x })
    else {
      row.first = Math.min(row.first, x)
      row.last = Math.max(row.last, x)
    }
  }
  const counts = new Float64Array(right - left + 1)
  const rowSums = new Float64Array(right - left + 1)
  for (const at of pixels) {
    const x = at % width
    counts[x - left]!++
    rowSums[x - left]! += (at - x) / width + 0.5
  }
  const ends = [...rows].flatMap(([y, { first, last }]): Point[] => [
    [first, y + 0.5],
    [last + 1, y + 0.5],
  ])
  return { left, counts, rowSums, area: pixels.length, hull: hullOf(ends) }
}

const cross = (o: Point, a: Point, b: Point) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

/** The convex hull, by Andrew's monotone chain. */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (each: readonly Point[]) => {
    const chain: Point[] = []
    for (const point of each) {
      while (chain.length >= 2 && cross(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop()
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  return [...half(sorted), ...half(sorted.toReversed())]
}

/** The network draws text thinner and shorter than it is: by this share of its area over its circumference. */
const growth = 1.4

export const growthOf = (length: number, thickness: number) => (growth * length * thickness) / (length + thickness)

/** A rectangle around text in any direction. `along` is a unit vector of its longer side. */
export interface TextBox {
  readonly centre: Point
  readonly along: Point
  readonly length: number
  /** Thickness of the text. A curved line has a thicker rectangle. */
  readonly thickness: number
}

/** Returns the smallest rectangle around a piece. One of its sides lies on a side of the hull. */
export function toBox({ hull, area }: Piece): TextBox {
  let best = boundAt(hull, [1, 0])
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length]!
    const side = Math.hypot(to[0] - from[0], to[1] - from[1])
    if (side === 0) continue
    const box = boundAt(hull, [(to[0] - from[0]) / side, (to[1] - from[1]) / side])
    if (box.length * box.thickness < best.length * best.thickness) best = box
  }
  const thickness = Math.min(best.thickness, area / best.length)
  const margin = growthOf(best.length, thickness)
  return { ...best, length: best.length + margin, thickness: thickness + margin }
}

function boundAt(points: readonly Point[], u: Point): TextBox {
  const v: Point = [-u[1], u[0]]
  const [left, right] = extent(points, u)
  const [top, bottom] = extent(points, v)
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const centre: Point = [x * u[0] + y * v[0], x * u[1] + y * v[1]]
  const [width, height] = [right - left, bottom - top]
  return width >= height
    ? { centre, along: u, length: width, thickness: height }
    : { centre, along: v, length: height, thickness: width }
}

function extent(points: readonly Point[], [x, y]: Point): readonly [number, number] {
  const places = points.map((point) => point[0] * x + point[1] * y)
  return [Math.min(...places), Math.max(...places)]
}
