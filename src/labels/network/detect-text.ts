import type { Picture } from '../../vision/picture.ts'
import type { TextNetworks } from './load-text-networks.ts'
import { type BlockShape, convolvePatches, createLayerRun, type LayerRun, type Tensor } from './run-layers.ts'

/** Width and height of the detector's picture are multiples of this. */
export const detectorStep = 32

const gated: BlockShape = { isGated: true, isResidual: true }
const plain: BlockShape = { isResidual: true }
const halving: BlockShape = { strides: [2, 2] }

/** Blocks by stage. The pyramid gets the input of each stage's last block, and the result of the last stage. */
const stages: readonly (readonly BlockShape[])[] = [
  [gated, plain, halving],
  [gated, plain, halving],
  [gated, plain, gated, plain, halving],
  [gated, plain],
]

const mean = [0.485, 0.456, 0.406] as const
const deviation = [0.229, 0.224, 0.225] as const

/** Rows of the largest layers that are computed at a time, which bounds their memory. */
const bandRows = 8

const partChannels = 16

/** Returns each pixel's probability of text. Sides are multiples of `detectorStep`. Yields work in millions. */
export function* detectText(networks: TextNetworks, picture: Picture): Generator<number, Float32Array> {
  const run = createLayerRun(networks, networks.detector)
  const { width, height } = picture
  let x = runStem(run, picture)
  yield 300
  const pyramid: Tensor[] = []
  for (const blocks of stages) {
    for (const shape of blocks) {
      if (shape.isResidual !== true) pyramid.push(x)
      x = run.block(x, shape)
      yield 100
    }
  }
  pyramid.push(x)
  return yield* runPyramid(run, pyramid, width, height)
}

/** The first layers, in bands of rows: to 32 channels at a quarter of the picture's size. */
function runStem(run: LayerRun, picture: Picture): Tensor {
  const { kernels, create, release, take, pointwiseInto } = run
  const [halve, narrow, widen, quarter, last] = [take(), take(), take(), take(), take()]
  const [height, width] = [picture.height / 2, picture.width / 2]
  const output = create(picture.height / 4, picture.width / 4, last.outChannels)
  const start = output.at + output.height * output.width * output.channels * 4
  for (let row = 0; row < output.height; row += bandRows) {
    release(start)
    const rows = Math.min(bandRows, output.height - row)
    // Rows at half size, with those that the next layers read around them.
    const top = row * 2 - 1
    const first = Math.max(0, top)
    const end = Math.min(height, (row + rows) * 2 + 2)
    const input = readBand(run, picture, first * 2 - 1, (end - first) * 2 + 1)
    const wide = create(end - first, width, halve.outChannels)
    convolvePatches(
      run,
      halve,
      input,
      { at: wide.at, width, rows: wide.height },
      { side: 3, stride: 2, padding: 0 },
      'relu',
    )
    const small = create(end - first, width, narrow.outChannels)
    convolvePatches(
      run,
      narrow,
      wide,
      { at: small.at, width, rows: wide.height },
      { side: 2, stride: 1, padding: 0 },
      'relu',
    )
    const channels = halve.outChannels + widen.outChannels
    const both = create(Math.min(height, (row + rows) * 2) - first, width, channels)
    const rowBytes = width * channels * 4
    for (let y = 0; y < both.height; y++)
      kernels.maxPool(wide.at, both.at + y * rowBytes, y, wide.height, width, halve.outChannels, channels * 4)
    const target = { at: both.at + halve.outChannels * 4, width, rows: both.height, outStride: channels * 4 }
    convolvePatches(run, widen, small, target, { side: 2, stride: 1, padding: 0 }, 'relu')
    const quartered = create(rows, output.width, quarter.outChannels)
    const place = { at: quartered.at, width: output.width, rows }
    convolvePatches(run, quarter, both, place, { side: 3, stride: 2, padding: 1 }, 'relu', row * 2 - first)
    pointwiseInto(last, quartered.at, output.at + row * output.width * output.channels * 4, rows * output.width, 'relu')
  }
  release(start)
  return output
}

/** Rows of the picture as blue, green, red and 0, with a row and a column of zeros outside. */
function readBand({ create, floats }: LayerRun, { data, width, height }: Picture, top: number, rows: number): Tensor {
  const band = create(rows, width + 1, 4)
  const values = floats(band).fill(0)
  const factors = deviation.map((each) => 1 / (255 * each))
  for (let y = Math.max(0, -top); y < rows && top + y < height; y++) {
    let at = (y * (width + 1) + 1) * 4
    let from = (top + y) * width * 4
    for (let x = 0; x < width; x++, at += 4, from += 4) {
      values[at] = data[from + 2]! * factors[0]! - mean[0] / deviation[0]
      values[at + 1] = data[from + 1]! * factors[1]! - mean[1] / deviation[1]
      values[at + 2] = data[from]! * factors[2]! - mean[2] / deviation[2]
    }
  }
  return band
}

/** Adds each result, from the smallest on, to the next one, and reduces them to a few channels each. */
function* runPyramid(run: LayerRun, pyramid: readonly Tensor[], width: number, height: number) {
  const { kernels, create, release, pointwise, gate } = run
  const parts: Tensor[] = []
  let above: Tensor | undefined
  for (const input of pyramid.toReversed()) {
    const part = create(input.height, input.width, partChannels)
    const lateral = pointwise(input, 'none')
    gate(lateral, 0.2, 1)
    const size = [lateral.height, lateral.width, lateral.channels] as const
    if (above !== undefined) kernels.enlarge(above.at, lateral.at, 0, ...size, 2, lateral.channels * 4, 0)
    smooth(run, lateral, part)
    gate(part, 0.2, 1)
    parts.push(part)
    above = lateral
    yield 100
  }
  if (above !== undefined) release(above.at)
  return yield* merge(run, parts, width, height)
}

/** Puts the parts together, enlarges them to the picture's size, and reads the map. */
function* merge(run: LayerRun, parts: readonly Tensor[], width: number, height: number) {
  const { kernels, create, release, take, pointwiseInto, floats } = run
  const [join, double, redouble] = [take(), take(), take()]
  const [columns, lastRow] = [width / 4, height / 4]
  const channels = partChannels * parts.length
  const map = new Float32Array(width * height)
  const together = create(bandRows + 2, columns, channels)
  for (let row = 0; row < lastRow; row += bandRows) {
    const rows = Math.min(bandRows, lastRow - row)
    const first = Math.max(0, row - 1)
    const end = Math.min(lastRow, row + rows + 1)
    for (const [index, part] of parts.entries()) {
      const size = [first, end - first, columns, partChannels, columns / part.width] as const
      kernels.enlarge(part.at, together.at + index * partChannels * 4, ...size, channels * 4, 1)
    }
    const joined = create(rows, columns, join.outChannels)
    const shape = { side: 3, stride: 1, padding: 1 }
    const target = { at: joined.at, width: columns, rows }
    convolvePatches(run, join, { ...together, height: end - first }, target, shape, 'relu', row - first)
    // Each pixel becomes 2 x 2 pixels, and each of these again.
    const doubled = create(rows, columns * 4, double.outChannels / 4)
    pointwiseInto(double, joined.at, doubled.at, rows * columns, 'relu')
    const final = create(rows, columns * 4, redouble.outChannels)
    pointwiseInto(redouble, doubled.at, final.at, rows * columns * 4, 'none')
    unfold(floats(final), final.channels, map.subarray(row * 4 * width), rows * 4, width)
    release(joined.at)
    if (row % 64 === 0) yield 50
  }
  return map
}

function smooth(run: LayerRun, input: Tensor, output: Tensor) {
  const { kernels, create, release, take, pointwiseInto } = run
  const [spread, narrow] = [take(), take()]
  const { height, width, channels } = input
  const [rowBytes, reach] = [width * channels * 4, 2]
  const band = create(bandRows + 2 * reach, width, channels)
  for (let row = 0; row < height; row += bandRows) {
    const rows = Math.min(bandRows, height - row)
    const first = Math.max(0, row - reach)
    const end = Math.min(height, row + rows + reach)
    const shape = [end - first, width, channels, 5, 5, 1, 1, spread.weights, spread.biases, 0] as const
    kernels.depthwise(input.at + first * rowBytes, band.at, ...shape)
    const target = output.at + row * width * narrow.outChannels * 4
    pointwiseInto(narrow, band.at + (row - first) * rowBytes, target, rows * width, 'none')
  }
  release(band.at)
}

/** Sorts logits `[y][x][row][column][row][column]` into rows of the map, as probabilities. */
function unfold(logits: Float32Array, stride: number, map: Float32Array, rows: number, width: number) {
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < width; x++) {
      const outer = (y & 2) | ((x >> 1) & 1)
      const inner = ((y & 1) << 1) | (x & 1)
      const logit = logits[((y >> 2) * width + ((x >> 2) * 4 + outer)) * stride + inner]!
      map[y * width + x] = 1 / (1 + Math.exp(-logit))
    }
  }
}
