import type { Tensor } from './network.ts'
import { type Dense, quantisedLevels } from './network-format.ts'
import { padChannels } from './pack-weights.ts'

/** The mean of each channel over all pixels, in reals. `activations` are the tensor's int16 values. */
export function averagePool(activations: Int16Array, { channels, range }: Tensor): Float32Array {
  const step = padChannels(channels)
  const sums = new Float64Array(channels)
  for (let start = 0; start < activations.length; start += step) {
    for (let channel = 0; channel < channels; channel++) sums[channel]! += activations[start + channel]!
  }
  const scale = (range / quantisedLevels) * (step / activations.length)
  return Float32Array.from(sums, (sum) => sum * scale)
}

/** The logits of a dense layer, whose parameters are read from `file` (`weights.bin`). */
export function applyDense(file: ArrayBuffer, layer: Dense, input: Float32Array): Float32Array {
  const weights = new Int8Array(file, layer.weights, layer.channels * input.length)
  const scales = new Float32Array(file, layer.scales, layer.channels)
  const biases = new Float32Array(file, layer.biases, layer.channels)
  const logits = new Float32Array(layer.channels)
  for (let out = 0, at = 0; out < logits.length; out++) {
    let sum = 0
    for (let i = 0; i < input.length; i++, at++) sum += input[i]! * weights[at]!
    logits[out] = sum * scales[out]! + biases[out]!
  }
  return logits
}
