import {
  type Convolution,
  type Layer,
  type NetworkDescription,
  quantisedLevels,
} from '../../../src/vision/network/network.ts'

/** Levels of a tensor, height x width x channels; whole numbers if the reference rounds. */
interface Levels {
  readonly side: number
  readonly channels: number
  readonly range: number
  readonly values: Float64Array
}

export interface ReferenceOutput {
  readonly heads: Record<string, number[]>
  readonly near: Record<string, number[]>
  readonly neck: Record<string, number[]>
  readonly outline: Float64Array
  /** By the point's name. */
  readonly landmarks: Record<string, { readonly logits: Float64Array; readonly presence: number }>
  readonly tensors: ReadonlyMap<string, Levels>
}

/**
 * The network by plain loops. `rounding`: every tensor is rounded and clamped to levels in the same float32 steps as
 * the kernels, so that results agree exactly; without it, tensors stay real numbers, as PyTorch computes them.
 */
export function runReference(
  description: NetworkDescription,
  file: ArrayBuffer,
  pixels: Uint8Array,
  side: number,
  rounding: boolean,
): ReferenceOutput {
  const { mean, deviation, range, name } = description.input
  const picture = Float64Array.from(pixels, (byte, index) => {
    const level = (((byte / 255 - mean[index % 3]!) / deviation[index % 3]!) * quantisedLevels) / range
    return rounding ? Math.min(quantisedLevels, Math.max(-quantisedLevels, Math.round(level))) : level
  })
  const tensors = new Map<string, Levels>([[name, { side, channels: 3, range, values: picture }]])
  const vectors = new Map<string, number[]>()
  for (const layer of description.layers) {
    if (layer.op === 'dense') vectors.set(layer.name, dense(file, layer, vectors.get(layer.inputs[0])!))
    else if (layer.op === 'pool') vectors.set(layer.name, pool(tensors.get(layer.inputs[0])!))
    else {
      const inputs = layer.inputs.map((input) => tensors.get(input)!)
      tensors.set(layer.name, runLayer(file, layer, inputs, rounding))
    }
  }
  const outline = tensors.get(description.outline.layer)!
  const logitsOf = (heads: NetworkDescription['heads']) =>
    Object.fromEntries(heads.map(({ name: head, layer }) => [head, vectors.get(layer)!]))
  return {
    heads: logitsOf(description.heads),
    near: logitsOf(description.near.heads),
    neck: logitsOf(description.neck.heads),
    outline: outline.values.map((level) => 1 / (1 + Math.exp((-level * outline.range) / quantisedLevels))),
    landmarks: readLandmarks(description, tensors, vectors),
    tensors,
  }
}

function readLandmarks(
  { landmarks }: NetworkDescription,
  tensors: ReferenceOutput['tensors'],
  vectors: ReadonlyMap<string, number[]>,
): ReferenceOutput['landmarks'] {
  const { values, channels, range } = tensors.get(landmarks.layer)!
  const logitsOf = (channel: number) =>
    values.filter((_, index) => index % channels === channel).map((level) => (level * range) / quantisedLevels)
  const presenceOf = (channel: number) => 1 / (1 + Math.exp(-vectors.get(landmarks.presence)![channel]!))
  return Object.fromEntries(
    landmarks.names.map((name, channel) => [name, { logits: logitsOf(channel), presence: presenceOf(channel) }]),
  )
}

function runLayer(
  file: ArrayBuffer,
  layer: Exclude<Layer, { op: 'pool' | 'dense' }>,
  [input, other]: readonly Levels[],
  rounding: boolean,
): Levels {
  if (input === undefined) throw new Error('No input')
  const { side, channels, range } = input
  if (layer.op === 'upsample2x') {
    const values = new Float64Array(side * side * 4 * channels)
    for (let y = 0; y < side * 2; y++)
      for (let x = 0; x < side * 2; x++)
        for (let c = 0; c < channels; c++)
          values[(y * side * 2 + x) * channels + c] = input.values[((y >> 1) * side + (x >> 1)) * channels + c]!
    return { side: side * 2, channels, range, values }
  }
  if (layer.op !== 'add') return convolve(file, layer, input, rounding)
  const scales = [range / layer.range, other!.range / layer.range].map(rounding ? Math.fround : Number)
  const values = input.values.map((level, i) => {
    const [a, b] = [level * scales[0]!, other!.values[i]! * scales[1]!]
    return finish(rounding ? Math.fround(Math.fround(a) + Math.fround(b)) : a + b, layer, rounding)
  })
  return { side, channels, range: layer.range, values }
}

function convolve(file: ArrayBuffer, layer: Convolution, input: Levels, rounding: boolean): Levels {
  const kernel = layer.op === 'pointwise' ? 1 : layer.op === 'depthwise' ? layer.kernel : 3
  const stride = layer.op === 'pointwise' ? 1 : layer.stride
  const isDepthwise = layer.op === 'depthwise'
  const side = Math.floor((input.side - 1) / stride) + 1
  const inputs = isDepthwise ? 1 : input.channels
  const Weights = layer.op === 'depthwise' && layer.weightType === 'int16' ? Int16Array : Int8Array
  const weights = new Weights(file, layer.weights, layer.channels * kernel * kernel * inputs)
  const scales = new Float32Array(file, layer.scales, layer.channels)
  const biases = new Float32Array(file, layer.biases, layer.channels)
  const values = new Float64Array(side * side * layer.channels)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      for (let out = 0; out < layer.channels; out++) {
        let sum = 0
        for (let tap = 0; tap < kernel * kernel; tap++) {
          const row = y * stride + Math.floor(tap / kernel) - (kernel >> 1)
          const column = x * stride + (tap % kernel) - (kernel >> 1)
          if (row < 0 || row >= input.side || column < 0 || column >= input.side) continue
          const source = (row * input.side + column) * input.channels
          if (isDepthwise) sum += input.values[source + out]! * weights[tap * layer.channels + out]!
          else
            for (let i = 0; i < inputs; i++)
              sum += input.values[source + i]! * weights[(out * kernel * kernel + tap) * inputs + i]!
        }
        const scale = scales[out]! * (input.range / layer.range)
        const bias = biases[out]! * (quantisedLevels / layer.range)
        const real = rounding
          ? Math.fround(Math.fround(Math.fround(sum) * Math.fround(scale)) + Math.fround(bias))
          : sum * scale + bias
        values[(y * side + x) * layer.channels + out] = finish(real, layer, rounding)
      }
  return { side, channels: layer.channels, range: layer.range, values }
}

/** The activation; with `rounding` also the clamp to levels and rounding, halves to even as the kernels do. */
function finish(real: number, { activation, range }: { activation: string; range: number }, rounding: boolean): number {
  const low = activation === 'none' ? (rounding ? -quantisedLevels : -Infinity) : 0
  const high = Math.min(
    activation === 'relu6' ? (6 * quantisedLevels) / range : Infinity,
    rounding ? quantisedLevels : Infinity,
  )
  const clamped = Math.min(Math.max(real, low), high)
  if (!rounding) return clamped
  const below = Math.floor(clamped)
  const rest = clamped - below
  return rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below
}

function pool({ side, channels, range, values }: Levels): number[] {
  return Array.from({ length: channels }, (_, channel) => {
    let sum = 0
    for (let pixel = 0; pixel < side * side; pixel++) sum += values[pixel * channels + channel]!
    return (sum / (side * side)) * (range / quantisedLevels)
  })
}

function dense(file: ArrayBuffer, layer: Extract<Layer, { op: 'dense' }>, input: readonly number[]): number[] {
  const weights = new Int8Array(file, layer.weights, layer.channels * input.length)
  const scales = new Float32Array(file, layer.scales, layer.channels)
  const biases = new Float32Array(file, layer.biases, layer.channels)
  return Array.from(scales, (scale, out) =>
    input.reduce((sum, value, i) => sum + value * weights[out * input.length + i]! * scale, biases[out]!),
  )
}
