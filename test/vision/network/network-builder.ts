import type { Layer, NetworkDescription } from '../../../src/vision/network/network.ts'

type Random = () => number

/** Uniform in 0 to 1, by mulberry32. */
export function makeRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export interface NetworkFiles {
  readonly description: NetworkDescription
  readonly weights: ArrayBuffer
}

/** Five weights of this size do not overflow a sum. */
const limit = 51

/** Collects layers with random parameters that keep activations near 1. */
export function createNetworkBuilder(seed: number) {
  const random = makeRandom(seed)
  const layers: Layer[] = []
  const chunks: Uint8Array[] = []
  let bytes = 0
  const append = (values: Int8Array | Float32Array) => {
    bytes += -bytes & 3
    chunks[bytes] = new Uint8Array(values.buffer)
    const offset = bytes
    bytes += values.byteLength
    return offset
  }
  // Uniform weights of this scale have the variance 2 / inputs.
  const parameters = (channels: number, inputs: number) => ({
    weights: append(Int8Array.from({ length: channels * inputs }, () => Math.round((random() * 2 - 1) * limit))),
    scales: append(
      Float32Array.from({ length: channels }, () => (Math.sqrt(6 / inputs) / limit) * (0.7 + 0.6 * random())),
    ),
    biases: append(Float32Array.from({ length: channels }, () => random() - 0.3)),
  })
  const push = <L extends Layer>(layer: L) => {
    layers.push(layer)
    return layer.name
  }
  const build = (
    heads: NetworkDescription['heads'],
    outline: string,
    landmarks: NetworkDescription['landmarks'],
    classifiers: Pick<NetworkDescription, 'near' | 'neck'>,
  ): NetworkFiles => {
    const file = new Uint8Array(bytes + (-bytes & 3))
    chunks.forEach((chunk, offset) => file.set(chunk, offset))
    const input = {
      name: 'input',
      mean: 0.4,
      deviation: 0.6,
    }
    const parts = { layers, heads, outline: { layer: outline }, landmarks, ...classifiers }
    const description = { version: 1 as const, input, ...parts }
    return { description, weights: file.buffer }
  }
  return { parameters, push, build }
}
