import type { Picture, Point } from '../picture.ts'

/** Sub-rows per pixel row, for smooth slanted edges. */
const rowsPerPixel = 4

/** Rasterises rings to each pixel's coverage, 0 to 255, by the even-odd rule. Pixel centres are whole numbers. */
export function coverRings(rings: readonly (readonly Point[])[], width: number, height: number): Uint8Array {
  const crossings: number[][] = Array.from({ length: height * rowsPerPixel }, () => [])
  for (const ring of rings)
    ring.forEach(([fromX, fromY], at) => {
      const [toX, toY] = ring[(at + 1) % ring.length]!
      const rowOf = (y: number) => (y + 0.5) * rowsPerPixel - 0.5
      const [top, bottom] = [Math.min(rowOf(fromY), rowOf(toY)), Math.max(rowOf(fromY), rowOf(toY))]
      for (let row = Math.max(0, Math.ceil(top)); row < Math.min(bottom, crossings.length); row++) {
        const share = (row - rowOf(fromY)) / (rowOf(toY) - rowOf(fromY))
        crossings[row]!.push(fromX + share * (toX - fromX) + 0.5)
      }
    })
  const covered = new Uint8Array(width * height)
  const sums = new Float32Array(width + 1)
  for (let y = 0; y < height; y++) {
    sums.fill(0)
    for (let row = y * rowsPerPixel; row < (y + 1) * rowsPerPixel; row++) {
      const found = crossings[row]!.sort((a, b) => a - b)
      for (let at = 0; at + 1 < found.length; at += 2) {
        const from = Math.min(width, Math.max(0, found[at]!))
        const to = Math.min(width, Math.max(0, found[at + 1]!))
        const [first, last] = [Math.floor(from), Math.floor(to)]
        if (first === last) sums[first]! += to - from
        else {
          sums[first]! += first + 1 - from
          for (let x = first + 1; x < last; x++) sums[x]!++
          sums[last]! += to - last
        }
      }
    }
    for (let x = 0; x < width; x++) covered[y * width + x] = Math.round((sums[x]! * 255) / rowsPerPixel)
  }
  return covered
}

/** Maximum number of garment cells, and of background cells, that an edge is compared with. */
const maxSamples = 7

const maxReach = 5

/** Standard deviation of colour levels due to noise and weave. */
const noise = 14

/** Standard deviation between the coverage by the outline and the coverage by colours. */
const trust = 0.42

/** Values of the raw coverage away from the edge, and the maximum at the edge. */
const elsewhere = 255
const most = 254

/** Below this squared distance, garment and background are too similar to tell them apart. */
const minContrast = 500

/** Coverage outside this range counts as 0 or 1, because edges are rarely wider than two pixels. */
const [lowest, highest] = [0.12, 0.88]

interface Cells {
  readonly columns: number
  readonly rows: number
  readonly colours: Float32Array
  /** 0 background, 1 garment, 2 edge. */
  readonly labels: Uint8Array
}

/** Divides the picture into square cells, and labels cells at or next to the edge. */
function toCells({ width, height, data }: Picture, covered: Uint8Array, size: number): Cells {
  const [columns, rows] = [Math.ceil(width / size), Math.ceil(height / size)]
  const colours = new Float32Array(columns * rows * 3)
  const counts = new Uint32Array(columns * rows)
  const inside = new Uint32Array(columns * rows)
  for (let y = 0; y < height; y++) {
    const row = Math.floor(y / size) * columns
    for (let x = 0; x < width; x++) {
      const cell = row + Math.floor(x / size)
      const at = (y * width + x) * 4
      counts[cell]!++
      inside[cell]! += covered[y * width + x]!
      colours[cell * 3]! += data[at]!
      colours[cell * 3 + 1]! += data[at + 1]!
      colours[cell * 3 + 2]! += data[at + 2]!
    }
  }
  const pure = counts.map((count, cell) => (inside[cell] === 0 ? 0 : inside[cell] === count * 255 ? 1 : 2))
  for (let cell = 0; cell < counts.length; cell++)
    for (let channel = 0; channel < 3; channel++) colours[cell * 3 + channel]! /= counts[cell]!
  const labels = new Uint8Array(columns * rows)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const cell = row * columns + column
      labels[cell] = pure[cell]!
      for (let j = Math.max(0, row - 1); j <= Math.min(rows - 1, row + 1); j++)
        for (let i = Math.max(0, column - 1); i <= Math.min(columns - 1, column + 1); i++)
          if (pure[j * columns + i] !== pure[cell]) labels[cell] = 2
    }
  return { columns, rows, colours, labels }
}

function nearest({ columns, rows, labels }: Cells, column: number, row: number, label: number): number[] {
  const found: number[] = []
  for (let reach = 1; reach <= maxReach && found.length < maxSamples; reach++)
    for (let j = -reach; j <= reach; j++)
      for (let i = -reach; i <= reach; i += Math.abs(j) === reach ? 1 : 2 * reach) {
        const [x, y] = [column + i, row + j]
        if (x < 0 || y < 0 || x >= columns || y >= rows) continue
        const cell = y * columns + x
        if (labels[cell] === label) found.push(cell)
      }
  if (found.length <= maxSamples) return found
  const step = found.length / maxSamples
  return Array.from({ length: maxSamples }, (_, at) => found[Math.floor(at * step)]!)
}

/**
 * Cuts a garment out along an outline that is exact to about `size` pixels. Each edge pixel gets the coverage that best
 * explains its colour as a mixture of nearby garment and background colours (Wang and Cohen 2007), weighted against the
 * outline. The background's part is removed from its colour. Works in place: alpha becomes the coverage.
 */
export function cutOut(picture: Picture, covered: Uint8Array, size: number): Picture {
  const { width, height, data } = picture
  const cells = toCells(picture, covered, size)
  const prior = blur(covered, width, height, Math.max(1, Math.round(size * 0.6)))
  const raw = new Uint8Array(width * height).fill(elsewhere)
  for (let row = 0; row < cells.rows; row++)
    for (let column = 0; column < cells.columns; column++) {
      if (cells.labels[row * cells.columns + column] !== 2) continue
      const garment = nearest(cells, column, row, 1)
      const background = nearest(cells, column, row, 0)
      for (let y = row * size; y < Math.min(height, (row + 1) * size); y++)
        for (let x = column * size; x < Math.min(width, (column + 1) * size); x++)
          raw[y * width + x] = most * coverPixel(data, y * width + x, prior, covered, { cells, garment, background })
    }
  for (let index = 0; index < raw.length; index++)
    data[index * 4 + 3] = raw[index] === elsewhere ? covered[index]! : 255 * sharpen(smooth(raw, covered, index, width))
  return picture
}

interface Samples {
  readonly cells: Cells
  readonly garment: readonly number[]
  readonly background: readonly number[]
}

/** Returns the coverage of a pixel, 0 to 1, and replaces its colour by the garment's. */
function coverPixel(
  data: Uint8ClampedArray,
  index: number,
  prior: Uint8Array,
  covered: Uint8Array,
  { cells: { colours }, garment, background }: Samples,
): number {
  const at = index * 4
  const expected = prior[index]! / 255
  let lowestCost = Infinity
  let best = covered[index]! / 255
  let contrast = 0
  let [bestGarment, bestBackground] = [-1, -1]
  for (const behind of background) {
    const from = behind * 3
    const red = data[at]! - colours[from]!
    const green = data[at + 1]! - colours[from + 1]!
    const blue = data[at + 2]! - colours[from + 2]!
    const distance = red * red + green * green + blue * blue
    for (const cloth of garment) {
      const to = cloth * 3
      const dr = colours[to]! - colours[from]!
      const dg = colours[to + 1]! - colours[from + 1]!
      const db = colours[to + 2]! - colours[from + 2]!
      const squared = dr * dr + dg * dg + db * db
      if (squared < minContrast) continue
      const along = red * dr + green * dg + blue * db
      const share = along < 0 ? 0 : along > squared ? 1 : along / squared
      const off = (share - expected) / trust
      const error = distance - share * (2 * along - share * squared)
      const cost = error / (noise * noise) + off * off
      if (cost >= lowestCost) continue
      lowestCost = cost
      best = share
      contrast = squared
      bestGarment = cloth
      bestBackground = behind
    }
  }
  if (bestGarment < 0) return covered[index]! / 255
  const known = contrast / (contrast + 4 * minContrast)
  const share = known * best + (1 - known) * (covered[index]! / 255)
  if (share < 1)
    for (let channel = 0; channel < 3; channel++) {
      const cloth = colours[bestGarment * 3 + channel]!
      const behind = colours[bestBackground * 3 + channel]!
      const unmixed = share > 0.05 ? (data[at + channel]! - (1 - share) * behind) / share : cloth
      data[at + channel] = share * Math.min(255, Math.max(0, unmixed)) + (1 - share) * cloth
    }
  return share
}

const sharpen = (share: number) => {
  const within = Math.min(1, Math.max(0, (share - lowest) / (highest - lowest)))
  return within * within * (3 - 2 * within)
}

function smooth(raw: Uint8Array, covered: Uint8Array, index: number, width: number): number {
  let sum = 0
  let weights = 0
  for (let j = -1; j <= 1; j++)
    for (let i = -1; i <= 1; i++) {
      const near = index + j * width + i
      const value = raw[near]
      if (value === undefined) continue
      const weight = (2 - Math.abs(i)) * (2 - Math.abs(j))
      sum += weight * (value === elsewhere ? covered[near]! / 255 : value / most)
      weights += weight
    }
  return sum / weights
}

function blur(values: Uint8Array, width: number, height: number, reach: number): Uint8Array {
  const out = values.slice()
  const line = new Uint8Array(Math.max(width, height))
  const pass = (start: number, step: number, length: number) => {
    for (let at = 0; at < length; at++) line[at] = out[start + at * step]!
    let sum = line[0]! * (reach + 1)
    for (let at = 1; at <= reach; at++) sum += line[Math.min(at, length - 1)]!
    for (let at = 0; at < length; at++) {
      out[start + at * step] = sum / (2 * reach + 1)
      sum += line[Math.min(at + reach + 1, length - 1)]! - line[Math.max(at - reach, 0)]!
    }
  }
  for (let times = 0; times < 2; times++) {
    for (let y = 0; y < height; y++) pass(y * width, 1, width)
    for (let x = 0; x < width; x++) pass(x, width, height)
  }
  return out
}
