import {
  type Convolution,
  type KernelLayer,
  type Kernels,
  type LandmarkHead,
  type Layer,
  maxLevel,
  type Network,
  type NetworkDescription,
  parseDescription,
  type Pool,
  signedZero,
  type Step,
  type Tensor,
  zerosAddress,
  zerosBytes,
} from './network.ts'
import {
  depthwiseGroup,
  depthwiseTaps,
  groupChannels,
  packDepthwise,
  packPointwise,
  padChannels,
  pointwiseGroup,
} from './pack-weights.ts'
import { patchesName, patchTensor } from './gather-patches.ts'
import { readDense } from './heads.ts'
import { finishAtOnce, type Steps } from './run-in-turns.ts'

const pageBytes = 65536

/**
 * Writes a convolution's packed weights, scales and biases to `address` and returns the address after them. Scales and
 * biases are float32 for each padded channel, converted to levels of input and output. Throws `RangeError` if the file
 * or the memory is too short.
 */
function loadParameters(
  memory: WebAssembly.Memory,
  file: ArrayBuffer,
  layer: Convolution,
  input: Tensor,
  output: Tensor,
  address: number,
): number {
  const { scales, biases, end } = placeParameters(layer, input, address)
  growTo(memory, end)
  const sums = packWeights(memory.buffer, file, layer, input, address)
  const fileScales = new Float32Array(file, layer.scales, layer.channels)
  const fileBiases = new Float32Array(file, layer.biases, layer.channels)
  const levels = fileScales.map((scale) => (scale * input.step) / output.step)
  const offset = output.isWide ? 0 : output.zero + 0.5
  const padded = padChannels(layer.channels)
  new Float32Array(memory.buffer, scales, padded).set(levels)
  new Float32Array(memory.buffer, biases, padded).set(
    fileBiases.map((real, out) => real / output.step + offset - input.zero * levels[out]! * sums[out]!),
  )
  return end
}

export function placeParameters(layer: Convolution, input: Tensor, address: number) {
  const outChannels = padChannels(layer.channels)
  const weightBytes =
    outChannels * (layer.op === 'depthwise' ? depthwiseTaps(layer.kernel) : groupChannels(input.channels))
  const scales = address + weightBytes
  const biases = scales + outChannels * 4
  return { weights: address, scales, biases, end: biases + outChannels * 4 }
}

function packWeights(memory: ArrayBuffer, file: ArrayBuffer, layer: Convolution, input: Tensor, address: number) {
  const { channels } = layer
  const count = layer.op === 'depthwise' ? layer.kernel ** 2 : input.channels
  const weights = new Int8Array(file, layer.weights, channels * count)
  const { weights: start, scales: end } = placeParameters(layer, input, address)
  const target = new Int8Array(memory, start, end - start)
  if (layer.op === 'depthwise') {
    packDepthwise(weights, layer.kernel, channels, target)
    return sumWeights(layer, weights, [1, channels], depthwiseGroup)
  }
  packPointwise(weights, channels, count, target)
  return sumWeights(layer, weights, [count, 1], pointwiseGroup)
}

/** Maximum sum of the positive weights, and of the negative ones, in a group whose products are summed as int16. */
const maxGroupSum = Math.floor(32767 / maxLevel)

/** Returns the sum of each output's weights. Throws if a sum of products could overflow. */
function sumWeights(
  { name, channels }: Convolution,
  weights: Int8Array,
  [outStride, stride]: readonly [number, number],
  groupOf: (index: number) => number,
): Int32Array {
  const count = weights.length / channels
  const groups = Int32Array.from({ length: count }, (_, index) => groupOf(index) * 2)
  const sums = new Int32Array(channels)
  const groupSums = new Int32Array(2 * count)
  for (let out = 0; out < channels; out++) {
    groupSums.fill(0)
    for (let index = 0, at = out * outStride; index < count; index++, at += stride) {
      const weight = weights[at]!
      const group = groups[index]! + Number(weight < 0)
      sums[out]! += weight
      groupSums[group]! += Math.abs(weight)
      if (groupSums[group]! > maxGroupSum) throw new Error(`The weights of layer ${name} can overflow the sum ${out}`)
    }
  }
  return sums
}

/** Grows `memory` to at least `bytes`. Throws `RangeError` above its limit. */
export function growTo(memory: WebAssembly.Memory, bytes: number) {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
}

/**
 * Lays out the weights in the memory of a new kernels instance. `json` is the parsed `network.json`, and `weights` is
 * the file that it describes. Takes tens of milliseconds. Throws `ZodError` or `Error` if the two do not describe a
 * network.
 */
export const loadNetwork = (...files: Parameters<typeof layOutNetwork>): Network =>
  finishAtOnce(layOutNetwork(...files))

/** Lays out a network like `loadNetwork`, and yields the number of bytes laid out by each step. */
export function* layOutNetwork(kernelsModule: WebAssembly.Module, json: unknown, weights: ArrayBuffer): Steps<Network> {
  const description = parseDescription(json)
  checkHeads(description)
  const kernels = new WebAssembly.Instance(kernelsModule).exports as unknown as Kernels
  const patches = patchTensor(description.input)
  const tensors = new Map<string, Tensor>([[description.input.name, patches]])
  new Uint8Array(kernels.memory.buffer, zerosAddress + zerosBytes, zerosBytes).fill(signedZero)
  let address = zerosAddress + 2 * zerosBytes
  const results = new Set([description.outline.layer, description.landmarks.layer])
  const placeStep = (layer: Layer): Step => {
    if (layer.op === 'dense') {
      const inputs = description.layers.find(({ name }) => name === layer.inputs[0])?.channels ?? 0
      return { layer, inputs: [], output: undefined, dense: readDense(weights, layer, inputs) }
    }
    const inputs = layer.inputs.map((name) => getTensor(tensors, name))
    if (isVector(layer)) return { layer, inputs, output: undefined }
    const output = outputOf(layer, inputs, results.has(layer.name))
    tensors.set(layer.name, output)
    if (layer.op === 'add' || layer.op === 'upsample2x') return { layer, inputs, output, parameters: 0 }
    const parameters = address
    address = loadParameters(kernels.memory, weights, layer, inputs[0]!, output, parameters)
    return { layer, inputs, output, parameters }
  }
  const steps: Step[] = []
  for (const layer of description.layers) {
    const before = address
    steps.push(placeStep(layer))
    yield address - before
  }
  const { heads, outline, near, neck } = description
  const classifierOf = (part: typeof heads) => ({
    heads: part,
    steps: stepsFor(
      part.map(({ layer }) => layer),
      steps,
    ),
  })
  return {
    kernels,
    use: { latest: undefined, runsAtOnce: 0, work: 0 },
    steps,
    drawingSteps: stepsFor([...heads.map(({ layer }) => layer), outline.layer], steps),
    tags: classifierOf(heads),
    near: classifierOf(near.heads),
    neck: classifierOf(neck.heads),
    patches,
    outline: getTensor(tensors, outline.layer),
    landmarks: landmarksOf(description, tensors, steps),
    buffersStart: address,
    plans: new Map(),
  }
}

function getTensor(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name)
  if (tensor === undefined) throw new Error(`No layer before has the output ${name}`)
  return tensor
}

function stepsFor(layers: readonly string[], steps: readonly Step[]): readonly Step[] {
  const needed = new Set(layers)
  const found = steps.toReversed().filter(({ layer }) => {
    if (!needed.has(layer.name)) return false
    for (const name of layer.inputs) needed.add(name)
    return true
  })
  return found.toReversed()
}

function landmarksOf(
  { layers, landmarks }: NetworkDescription,
  tensors: ReadonlyMap<string, Tensor>,
  steps: readonly Step[],
): LandmarkHead {
  const { layer, presence, names, reach } = landmarks
  const maps = getTensor(tensors, layer)
  const isFitting = layers.some(
    ({ op, name, channels }) => op === 'dense' && name === presence && channels === names.length,
  )
  if (maps.channels !== names.length || !isFitting)
    throw new Error(`The landmarks do not fit their layers ${layer} and ${presence}`)
  return { steps: stepsFor([layer, presence], steps), maps, presence, names, reach }
}

/** Returns a layer's output tensor. Throws if the layer cannot read its inputs. */
function outputOf(layer: KernelLayer, inputs: readonly Tensor[], isResult: boolean): Tensor {
  const input = inputs[0]!
  const { name, channels } = layer
  const keepsChannels = layer.op === 'depthwise' || layer.op === 'add' || layer.op === 'upsample2x'
  const isFitting = keepsChannels
    ? inputs.every((other) => other.channels === channels && other.stride === input.stride) && channels <= zerosBytes
    : (layer.op === 'conv3x3') === (input.name === patchesName)
  if (!isFitting || inputs.some(({ isWide }) => isWide) || (isResult && layer.op !== 'pointwise'))
    throw new Error(`Layer ${name} does not fit its inputs`)
  if (layer.op === 'upsample2x') return { ...input, name, stride: input.stride / 2 }
  const stride = layer.op === 'depthwise' ? input.stride * layer.stride : input.stride
  return { name, channels, stride, isWide: isResult, ...levelsOf(layer, isResult) }
}

/** Returns zero point and step of a layer's output. Logits use the full range of an int16. */
function levelsOf({ activation, range }: { activation: string; range: number }, isWide: boolean) {
  if (isWide) return { zero: 0, step: range / 32767 }
  return activation === 'relu6'
    ? { zero: 0, step: 6 / maxLevel }
    : { zero: signedZero, step: range / (maxLevel - signedZero) }
}

const isVector = (layer: Layer): layer is Pool => layer.op === 'pool' || layer.op === 'contrast'

/** Throws unless every head is a dense layer with one output per class, and reads an earlier vector. */
function checkHeads({ layers, heads, near, neck }: NetworkDescription) {
  for (const { name, layer, classes } of [...heads, ...near.heads, ...neck.heads]) {
    const dense = layers.findIndex((other) => other.name === layer && other.op === 'dense')
    const vector = layers.findIndex((other) => other.name === layers[dense]?.inputs[0] && isVector(other))
    if (vector === -1 || vector > dense || layers[dense]?.channels !== classes.length)
      throw new Error(`Head ${name} has no dense layer on a pool with ${classes.length} outputs`)
  }
}
