import type { Dense, Tensor } from './network.ts'
import { padChannels } from './pack-weights.ts'

export function averagePool(activations: Uint8Array, { channels, zero, step: unit }: Tensor): Float32Array {
  const step = padChannels(channels)
  const sums = new Float64Array(channels)
  for (let start = 0; start < activations.length; start += step) {
    for (let channel = 0; channel < channels; channel++) sums[channel]! += activations[start + channel]!
  }
  const pixels = activations.length / step
  return Float32Array.from(sums, (sum) => (sum / pixels - zero) * unit)
}

/** Returns each channel's top third minus its bottom third, then left minus right. These means tell which way is up. */
export function poolContrasts(activations: Uint8Array, { channels, step: unit }: Tensor): Float32Array {
  const step = padChannels(channels)
  const side = Math.sqrt(activations.length / step)
  const depth = Math.max(1, Math.floor(side / 3))
  const signOf = (place: number) => Number(place < depth) - Number(place >= side - depth)
  const sums = new Float64Array(2 * channels)
  for (let y = 0, start = 0; y < side; y++)
    for (let x = 0; x < side; x++, start += step) {
      const [down, across] = [signOf(y), signOf(x)]
      for (let channel = 0; channel < channels; channel++) {
        const level = activations[start + channel]!
        sums[channel]! += down * level
        sums[channels + channel]! += across * level
      }
    }
  return Float32Array.from(sums, (sum) => (sum / (depth * side)) * unit)
}

export interface DenseParameters {
  readonly weights: Int8Array
  readonly scales: Float32Array
  readonly biases: Float32Array
}

/** Copies a dense layer's parameters, so that the file's memory can be freed once the network is laid out. */
export function readDense(file: ArrayBuffer, layer: Dense, inputs: number): DenseParameters {
  return {
    weights: new Int8Array(file, layer.weights, layer.channels * inputs).slice(),
    scales: new Float32Array(file, layer.scales, layer.channels).slice(),
    biases: new Float32Array(file, layer.biases, layer.channels).slice(),
  }
}

export function applyDense({ weights, scales, biases }: DenseParameters, input: Float32Array): Float32Array {
  const logits = new Float32Array(scales.length)
  for (let out = 0, at = 0; out < logits.length; out++) {
    let sum = 0
    for (let i = 0; i < input.length; i++, at++) sum += input[i]! * weights[at]!
    logits[out] = sum * scales[out]! + biases[out]!
  }
  return logits
}
