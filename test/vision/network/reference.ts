import type { Convolution, Layer, NetworkDescription } from '../../../src/vision/network/network.ts'

/** How a tensor's levels stand for real numbers, `(level - zero) * step`, and how those outside of it are read. */
interface Scale {
  readonly zero: number
  readonly step: number
  readonly outside: number
  readonly low: number
  readonly high: number
}

/** A tensor, height x width x channels: levels if the reference rounds, else real numbers. */
interface Levels {
  readonly side: number
  readonly channels: number
  readonly scale: Scale
  readonly values: Float64Array
}

/** Real numbers. */
const exact: Scale = { zero: 0, step: 1, outside: 0, low: -Infinity, high: Infinity }
const bytes = { low: 0, high: 127 }

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
  const { mean, deviation, name } = description.input
  const picture = Float64Array.from(pixels, (byte) => (rounding ? byte >> 1 : (byte / 255 - mean) / deviation))
  // A level is one of two bytes, and stands for what lies between them.
  const input = { zero: (mean * 255 - 0.5) / 2, step: 2 / 255 / deviation, outside: 63, ...bytes }
  const tensors = new Map<string, Levels>([
    [name, { side, channels: 3, scale: rounding ? input : exact, values: picture }],
  ])
  const vectors = new Map<string, number[]>()
  for (const layer of description.layers) {
    if (layer.op === 'dense') vectors.set(layer.name, dense(file, layer, vectors.get(layer.inputs[0])!))
    else if (layer.op === 'pool') vectors.set(layer.name, pool(tensors.get(layer.inputs[0])!))
    else if (layer.op === 'contrast') vectors.set(layer.name, contrast(tensors.get(layer.inputs[0])!))
    else {
      const inputs = layer.inputs.map((input) => tensors.get(input)!)
      const isResult = [description.outline.layer, description.landmarks.layer].includes(layer.name)
      tensors.set(layer.name, runLayer(file, layer, inputs, rounding ? scaleOf(layer, isResult) : exact))
    }
  }
  const outline = tensors.get(description.outline.layer)!
  const logitsOf = (heads: NetworkDescription['heads']) =>
    Object.fromEntries(heads.map(({ name: head, layer }) => [head, vectors.get(layer)!]))
  return {
    heads: logitsOf(description.heads),
    near: logitsOf(description.near.heads),
    neck: logitsOf(description.neck.heads),
    outline: outline.values.map((level) => 1 / (1 + Math.exp(-level * outline.scale.step))),
    landmarks: readLandmarks(description, tensors, vectors),
    tensors,
  }
}

function readLandmarks(
  { landmarks }: NetworkDescription,
  tensors: ReferenceOutput['tensors'],
  vectors: ReadonlyMap<string, number[]>,
): ReferenceOutput['landmarks'] {
  const { values, channels, scale } = tensors.get(landmarks.layer)!
  const logitsOf = (channel: number) =>
    values.filter((_, index) => index % channels === channel).map((level) => level * scale.step)
  const presenceOf = (channel: number) => 1 / (1 + Math.exp(-vectors.get(landmarks.presence)![channel]!))
  return Object.fromEntries(
    landmarks.names.map((name, channel) => [name, { logits: logitsOf(channel), presence: presenceOf(channel) }]),
  )
}

function scaleOf(layer: Layer, isResult: boolean): Scale {
  const range = 'range' in layer ? layer.range : NaN
  if (isResult) return { zero: 0, step: range / 32767, outside: 0, low: -32768, high: 32767 }
  if ('activation' in layer && layer.activation === 'relu6') return { zero: 0, step: 6 / 127, outside: 0, ...bytes }
  return { zero: 64, step: range / 63, outside: 64, ...bytes }
}

function runLayer(
  file: ArrayBuffer,
  layer: Exclude<Layer, { op: 'pool' | 'contrast' | 'dense' }>,
  [input, other]: readonly Levels[],
  target: Scale,
): Levels {
  if (input === undefined) throw new Error('No input')
  const { side, channels, scale } = input
  if (layer.op === 'upsample2x') {
    const values = new Float64Array(side * side * 4 * channels)
    for (let y = 0; y < side * 2; y++)
      for (let x = 0; x < side * 2; x++)
        for (let c = 0; c < channels; c++)
          values[(y * side * 2 + x) * channels + c] = input.values[((y >> 1) * side + (x >> 1)) * channels + c]!
    return { side: side * 2, channels, scale, values }
  }
  if (layer.op !== 'add') return convolve(file, layer, input, target)
  const round = roundingOf(target)
  const [a, b] = [scale.step / target.step, other!.scale.step / target.step]
  const bias = round(offsetOf(target) - scale.zero * a - other!.scale.zero * b)
  const values = input.values.map((level, i) => {
    const second = round(round(other!.values[i]! * round(b)) + bias)
    return finish(round(round(level * round(a)) + second), layer, target)
  })
  return { side, channels, scale: target, values }
}

/** Float32 in each step as in the kernels, if there are levels. */
const roundingOf = (target: Scale) => (target === exact ? Number : Math.fround)

/** What is added to a real number of steps, so that dropping the fraction rounds it to a level. */
const offsetOf = ({ zero, low }: Scale) => (low === 0 ? zero + 0.5 : zero)

function convolve(file: ArrayBuffer, layer: Convolution, input: Levels, target: Scale): Levels {
  const kernel = layer.op === 'pointwise' ? 1 : layer.op === 'depthwise' ? layer.kernel : 3
  const stride = layer.op === 'pointwise' ? 1 : layer.stride
  const isDepthwise = layer.op === 'depthwise'
  const side = Math.floor((input.side - 1) / stride) + 1
  const inputs = isDepthwise ? 1 : input.channels
  const weights = new Int8Array(file, layer.weights, layer.channels * kernel * kernel * inputs)
  const placeOf = (out: number, tap: number, i: number) =>
    isDepthwise ? tap * layer.channels + out : (out * kernel * kernel + tap) * inputs + i
  const scales = new Float32Array(file, layer.scales, layer.channels)
  const biases = new Float32Array(file, layer.biases, layer.channels)
  const values = new Float64Array(side * side * layer.channels)
  const round = roundingOf(target)
  for (let out = 0; out < layer.channels; out++) {
    let all = 0
    for (let tap = 0; tap < kernel * kernel; tap++)
      for (let i = 0; i < inputs; i++) all += weights[placeOf(out, tap, i)]!
    const scale = round((scales[out]! * input.scale.step) / target.step)
    const bias = round(biases[out]! / target.step + offsetOf(target) - input.scale.zero * scale * all)
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        let sum = 0
        for (let tap = 0; tap < kernel * kernel; tap++) {
          const row = y * stride + Math.floor(tap / kernel) - (kernel >> 1)
          const column = x * stride + (tap % kernel) - (kernel >> 1)
          const isOutside = row < 0 || row >= input.side || column < 0 || column >= input.side
          const source = (row * input.side + column) * input.channels + (isDepthwise ? out : 0)
          for (let i = 0; i < inputs; i++)
            sum += (isOutside ? input.scale.outside : input.values[source + i]!) * weights[placeOf(out, tap, i)]!
        }
        values[(y * side + x) * layer.channels + out] = finish(round(round(round(sum) * scale) + bias), layer, target)
      }
  }
  return { side, channels: layer.channels, scale: target, values }
}

/** The activation of a real number, or its level. */
function finish(value: number, { activation }: { activation: string }, target: Scale): number {
  if (target === exact) return activation === 'relu6' ? Math.min(Math.max(value, 0), 6) : value
  return Math.min(Math.max(Math.trunc(value), target.low), target.high)
}

function pool({ side, channels, scale, values }: Levels): number[] {
  return Array.from({ length: channels }, (_, channel) => {
    let sum = 0
    for (let pixel = 0; pixel < side * side; pixel++) sum += values[pixel * channels + channel]!
    return (sum / (side * side) - scale.zero) * scale.step
  })
}

/** Means of the top third minus the bottom third, then of the left third minus the right third. */
function contrast({ side, channels, scale, values }: Levels): number[] {
  const depth = Math.max(1, Math.floor(side / 3))
  const meanOf = (channel: number, rows: readonly number[], columns: readonly number[]) => {
    const all = rows.flatMap((y) => columns.map((x) => values[(y * side + x) * channels + channel]!))
    return all.reduce((sum, value) => sum + value, 0) / all.length
  }
  const whole = Array.from({ length: side }, (_, place) => place)
  const [first, last] = [whole.slice(0, depth), whole.slice(side - depth)]
  const difference = (of: (part: readonly number[]) => number) => (of(first) - of(last)) * scale.step
  return [
    ...Array.from({ length: channels }, (_, channel) => difference((part) => meanOf(channel, part, whole))),
    ...Array.from({ length: channels }, (_, channel) => difference((part) => meanOf(channel, whole, part))),
  ]
}

function dense(file: ArrayBuffer, layer: Extract<Layer, { op: 'dense' }>, input: readonly number[]): number[] {
  const weights = new Int8Array(file, layer.weights, layer.channels * input.length)
  const scales = new Float32Array(file, layer.scales, layer.channels)
  const biases = new Float32Array(file, layer.biases, layer.channels)
  return Array.from(scales, (scale, out) =>
    input.reduce((sum, value, i) => sum + value * weights[out * input.length + i]! * scale, biases[out]!),
  )
}
