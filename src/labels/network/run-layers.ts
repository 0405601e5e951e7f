import { growTo } from '../../vision/network/load-network.ts'
import type { TextLayer, TextNetworks } from './load-text-networks.ts'

/** Float32 in the kernels' memory, height x width x channels. */
export interface Tensor {
  readonly at: number
  readonly height: number
  readonly width: number
  readonly channels: number
}

const activations = { none: 0, relu: 1, gelu: 2, hardSwish: 3 } as const
type Activation = keyof typeof activations

const pixelsOf = ({ height, width }: Tensor) => height * width
const bytesOf = (tensor: Tensor) => pixelsOf(tensor) * tensor.channels * 4

/** Pixels whose hidden channels are computed at a time, so that they stay in the processor's cache. */
const hiddenPixels = 64

export interface BlockShape {
  /** Pixels from one output to the next, down and to the right. */
  readonly strides?: readonly [rows: number, columns: number]
  /** Whether channels are weighted by what the whole picture shows. */
  readonly isGated?: boolean
  /** Whether the result of the pointwise layers is added to that of the depthwise layer. */
  readonly isResidual?: boolean
}

export type LayerRun = ReturnType<typeof createLayerRun>

/** Runs the next layers with each call. Tensors lie one after another; `release` frees all from an address on. */
export function createLayerRun({ kernels, end }: Pick<TextNetworks, 'kernels' | 'end'>, layers: readonly TextLayer[]) {
  let next = 0
  let top = end
  const take = (): TextLayer => {
    const layer = layers[next++]
    if (layer === undefined) throw new RangeError('The network has too few layers')
    return layer
  }
  const create = (height: number, width: number, channels: number): Tensor => {
    const tensor = { at: top, height, width, channels }
    top += bytesOf(tensor)
    growTo(kernels.memory, top)
    return tensor
  }
  const release = (address: number) => void (top = address)
  const floats = ({ at, height, width, channels }: Tensor) =>
    new Float32Array(kernels.memory.buffer, at, height * width * channels)

  function pointwiseInto(
    layer: TextLayer,
    input: number,
    output: number,
    pixels: number,
    activation: Activation,
    { others = 0, outStride = layer.outChannels * 4 } = {},
  ) {
    const { inChannels, outChannels, weights, biases } = layer
    const sizes = [pixels, inChannels, outChannels, outStride] as const
    kernels.pointwise(input, output, others, ...sizes, weights, biases, activations[activation])
  }

  function pointwise(input: Tensor, activation: Activation): Tensor {
    const layer = take()
    const output = create(input.height, input.width, layer.outChannels)
    pointwiseInto(layer, input.at, output.at, pixelsOf(input), activation)
    return output
  }

  function depthwise(
    input: Tensor,
    rows: number,
    columns: number,
    [rowStride, columnStride]: readonly [number, number] = [1, 1],
    activation: Activation = 'none',
  ): Tensor {
    const { weights, biases } = take()
    const { height, width, channels } = input
    const output = create(Math.ceil(height / rowStride), Math.ceil(width / columnStride), channels)
    const geometry = [height, width, channels, rows, columns, rowStride, columnStride] as const
    kernels.depthwise(input.at, output.at, ...geometry, weights, biases, activations[activation])
    return output
  }

  /** Weights each channel by a gate that two small layers compute from the channels' means, in place. */
  function gate(tensor: Tensor, slope: number, offset: number) {
    const start = top
    const means = create(1, 1, tensor.channels)
    kernels.sumChannels(tensor.at, means.at, pixelsOf(tensor), tensor.channels)
    const values = floats(means)
    for (let i = 0; i < values.length; i++) values[i]! /= pixelsOf(tensor)
    const gates = pointwise(pointwise(means, 'relu'), 'none')
    const levels = floats(gates)
    for (let i = 0; i < levels.length; i++) levels[i] = offset + Math.min(1, Math.max(0, levels[i]! * slope + 0.5))
    kernels.scaleChannels(tensor.at, gates.at, pixelsOf(tensor), tensor.channels)
    release(start)
  }

  /** A depthwise layer and two pointwise layers. A residual block's result replaces its input in memory. */
  function block(input: Tensor, { strides, isGated = false, isResidual = false }: BlockShape): Tensor {
    const between = depthwise(input, 3, 3, strides)
    if (isGated) gate(between, 1 / 6, 0)
    const [wide, narrow] = [take(), take()]
    const hidden = create(1, hiddenPixels, wide.outChannels)
    const { height, width } = between
    const output = isResidual ? { ...between, at: input.at } : create(height, width, narrow.outChannels)
    const pixels = pixelsOf(between)
    for (let pixel = 0; pixel < pixels; pixel += hiddenPixels) {
      const count = Math.min(hiddenPixels, pixels - pixel)
      const from = between.at + pixel * between.channels * 4
      pointwiseInto(wide, from, hidden.at, count, 'gelu')
      const others = isResidual ? from : 0
      pointwiseInto(narrow, hidden.at, output.at + pixel * narrow.outChannels * 4, count, 'none', { others })
    }
    if (isResidual) release(output.at + bytesOf(output))
    return output
  }

  return { kernels, take, create, release, floats, pointwiseInto, pointwise, depthwise, gate, block }
}

/** A full convolution of patches that `gather` writes, row by row. */
export interface PatchShape {
  readonly side: number
  readonly stride: number
  readonly padding: number
}

/** Computes rows of a convolution of patches. The first output reads its patch around row `top` of `input`. */
export function convolvePatches(
  { kernels, create, release, pointwiseInto }: LayerRun,
  layer: TextLayer,
  input: Tensor,
  output: { readonly at: number; readonly width: number; readonly rows: number; readonly outStride?: number },
  { side, stride, padding }: PatchShape,
  activation: Activation,
  top = 0,
) {
  const patches = create(1, output.width, layer.inChannels)
  const outStride = output.outStride ?? layer.outChannels * 4
  for (let row = 0; row < output.rows; row++) {
    const place = [side, stride, top + row * stride - padding, -padding, output.width] as const
    kernels.gather(input.at, patches.at, input.height, input.width, input.channels, ...place)
    pointwiseInto(layer, patches.at, output.at + row * output.width * outStride, output.width, activation, {
      outStride,
    })
  }
  release(patches.at)
}
