import type { Picture } from '../../vision/picture.ts'
import type { TextNetworks } from './load-text-networks.ts'
import { type BlockShape, convolvePatches, createLayerRun } from './run-layers.ts'

/** Height of the pictures of lines. Their width is a multiple of 8. */
export const lineHeight = 48

const gated: BlockShape = { isGated: true, isResidual: true }
const plain: BlockShape = { isResidual: true }
const halving: BlockShape = { strides: [2, 1] }

const blocks = [gated, plain, halving, gated, plain, halving, gated, plain, plain]

/** Logits `[step][output]` of a line: the blank, then the characters, then the rejected outputs, then padding. */
export interface LineLogits {
  readonly steps: number
  readonly outputs: number
  readonly values: Float32Array
}

export function recogniseLine(networks: TextNetworks, picture: Picture): LineLogits {
  const run = createLayerRun(networks, networks.recogniser)
  const { create, take, floats, pointwise, depthwise } = run
  const { data, width, height } = picture
  const input = create(height, width, 4)
  const values = floats(input)
  for (let at = 0; at < values.length; at += 4) {
    values[at] = data[at + 2]! / 127.5 - 1
    values[at + 1] = data[at + 1]! / 127.5 - 1
    values[at + 2] = data[at]! / 127.5 - 1
    values[at + 3] = 0
  }
  const [first, second] = [take(), take()]
  const half = create(height / 2, width / 2, first.outChannels)
  const shape = { side: 3, stride: 2, padding: 1 }
  convolvePatches(run, first, input, { at: half.at, width: half.width, rows: half.height }, shape, 'gelu')
  let x = create(height / 4, width / 4, second.outChannels)
  convolvePatches(run, second, half, { at: x.at, width: x.width, rows: x.height }, shape, 'none')
  for (const each of blocks) x = run.block(x, each)
  // The mean of all 3 rows and each 2 columns.
  const steps = Math.floor(x.width / 2)
  const pooled = create(1, steps, x.channels)
  const [from, to] = [floats(x), floats(pooled)]
  for (let step = 0; step < steps; step++)
    for (let c = 0; c < x.channels; c++) {
      let sum = 0
      for (let row = 0; row < x.height; row++)
        for (let column = 0; column < 2; column++) sum += from[(row * x.width + step * 2 + column) * x.channels + c]!
      to[step * x.channels + c] = sum / (x.height * 2)
    }
  const mixed = depthwise(pooled, 1, 5, [1, 1], 'hardSwish')
  const logits = pointwise(pointwise(pointwise(mixed, 'hardSwish'), 'none'), 'none')
  return { steps, outputs: logits.channels, values: floats(logits).slice() }
}
