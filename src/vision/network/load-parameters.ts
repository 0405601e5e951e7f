import type { Tensor } from './network.ts'
import { type Convolution, quantisedLevels } from './network-format.ts'
import { depthwiseTaps, packDepthwise, packPointwise, padChannels } from './pack-weights.ts'

const pageBytes = 65536

/** The picture's 3 x 3 x RGB that the first convolution reads. */
const patchValues = 27

/**
 * Writes a convolution's packed weights, then its scales and biases (float32 for each padded channel) to `address`, and
 * returns the first address after them. Scales and biases are turned from reals to levels of input and output. Throws
 * `RangeError` if the file or the memory ends too early.
 */
export function loadParameters(
  memory: WebAssembly.Memory,
  file: ArrayBuffer,
  layer: Convolution,
  input: Tensor,
  output: Tensor,
  address: number,
): number {
  const outChannels = padChannels(output.channels)
  const { scales, biases, end } = placeParameters(layer, input, address)
  growTo(memory, end)
  packWeights(memory.buffer, file, layer, input, address)
  const fileScales = new Float32Array(file, layer.scales, layer.channels)
  const fileBiases = new Float32Array(file, layer.biases, layer.channels)
  const levels = input.range / output.range
  const bias = quantisedLevels / output.range
  new Float32Array(memory.buffer, scales, outChannels).set(fileScales.map((scale) => scale * levels))
  new Float32Array(memory.buffer, biases, outChannels).set(fileBiases.map((real) => real * bias))
  return end
}

/** Addresses of what `loadParameters` writes. */
export function placeParameters(layer: Convolution, input: Tensor, address: number) {
  const outChannels = padChannels(layer.channels)
  const weightBytes =
    outChannels * (layer.op === 'depthwise' ? depthwiseTaps(layer.kernel) * 2 : padChannels(input.channels))
  const scales = address + weightBytes
  const biases = scales + outChannels * 4
  return { weights: address, scales, biases, end: biases + outChannels * 4 }
}

function packWeights(memory: ArrayBuffer, file: ArrayBuffer, layer: Convolution, input: Tensor, address: number) {
  const outChannels = padChannels(layer.channels)
  if (layer.op === 'depthwise') {
    const { kernel } = layer
    const target = new Int16Array(memory, address, outChannels * depthwiseTaps(kernel))
    const Weights = layer.weightType === 'int16' ? Int16Array : Int8Array
    const weights = new Weights(file, layer.weights, layer.channels * kernel ** 2)
    checkSums(layer, weights, (out, index) => index * layer.channels + out)
    packDepthwise(weights, kernel, layer.channels, target)
    return
  }
  const inputs = layer.op === 'conv3x3' ? patchValues : input.channels
  const target = new Int8Array(memory, address, outChannels * padChannels(inputs))
  const weights = new Int8Array(file, layer.weights, layer.channels * inputs)
  checkSums(layer, weights, (out, index) => out * inputs + index)
  packPointwise(weights, layer.channels, inputs, target)
}

/** Throws where the int32 sum of an output's products could overflow. */
function checkSums(
  { name, channels }: Convolution,
  weights: Int8Array | Int16Array,
  placeOf: (out: number, index: number) => number,
) {
  const count = weights.length / channels
  for (let out = 0; out < channels; out++) {
    let sum = 0
    for (let index = 0; index < count; index++) sum += Math.abs(weights[placeOf(out, index)]!)
    if (sum * quantisedLevels >= 2 ** 31) throw new Error(`The weights of layer ${name} can overflow the sum ${out}`)
  }
}

/** Grows `memory` to at least `bytes`. Throws `RangeError` beyond the 32 MB that the kernels are compiled for. */
export function growTo(memory: WebAssembly.Memory, bytes: number) {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
}
