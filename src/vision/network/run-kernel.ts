import { placeParameters } from './load-parameters.ts'
import { type KernelStep, type Kernels, zerosAddress } from './network.ts'
import { type Activation, quantisedLevels } from './network-format.ts'
import { padChannels } from './pack-weights.ts'
import { type BufferPlan, lengthOf } from './plan-buffers.ts'

/** Computes a layer's output for a picture of `size` x `size` pixels. */
export function runKernel(kernels: Kernels, { addresses }: BufferPlan, step: KernelStep, size: number) {
  const { layer, inputs, output, parameters } = step
  const [source = 0, other = 0] = inputs.map(({ name }) => addresses.get(name))
  const target = addresses.get(output.name)!
  const input = inputs[0]!
  const side = size / input.stride
  const channels = padChannels(output.channels)
  if (layer.op === 'upsample2x') {
    kernels.upsample2x(source, target, side, side, channels)
    return
  }
  const [low, high] = clampOf(layer.activation, layer.range)
  if (layer.op === 'add') {
    const [scale = 0, otherScale = 0] = inputs.map(({ range }) => range / layer.range)
    kernels.add(source, other, target, lengthOf(output, size), scale, otherScale, low, high)
    return
  }
  const { weights, scales, biases } = placeParameters(layer, input, parameters)
  if (layer.op === 'depthwise') {
    const geometry = [side, side, channels, layer.stride] as const
    const depthwise = layer.kernel === 5 ? kernels.depthwise5x5 : kernels.depthwise3x3
    depthwise(source, target, ...geometry, weights, scales, biases, low, high, zerosAddress)
    return
  }
  const inChannels = padChannels(input.channels)
  kernels.pointwise(source, target, side * side, inChannels, channels, weights, scales, biases, low, high)
}

/** The levels between which an activation keeps its values. */
function clampOf(activation: Activation, range: number): [low: number, high: number] {
  if (activation === 'none') return [-quantisedLevels, quantisedLevels]
  return [0, activation === 'relu6' ? Math.min(quantisedLevels, (6 * quantisedLevels) / range) : quantisedLevels]
}
