import {
  type Convolution,
  type KernelLayer,
  type Kernels,
  type LandmarkHead,
  type Layer,
  type Network,
  type NetworkDescription,
  parseDescription,
  quantisedLevels,
  type Step,
  type Tensor,
  zerosAddress,
  zerosBytes,
} from './network.ts'
import { depthwiseTaps, packDepthwise, packPointwise, padChannels } from './pack-weights.ts'
import { normalisationTable, patchChannels } from './gather-patches.ts'
import { readDense } from './heads.ts'
import { finishAtOnce, type Steps } from './run-in-turns.ts'

const pageBytes = 65536

/** The picture's 3 x 3 x RGB that the first convolution reads. */
const patchValues = 27

/**
 * Writes a convolution's packed weights, then its scales and biases (float32 for each padded channel) to `address`, and
 * returns the first address after them. Scales and biases are turned from reals to levels of input and output. Throws
 * `RangeError` if the file or the memory ends too early.
 */
function loadParameters(
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

/** Name of the tensor that stands for the picture. */
const patchTensor = 'patches'

/**
 * Lays the weights out in the memory of a new instance of the kernels. `json` is the parsed `network.json`, `weights`
 * is the file that it describes. Takes tens of milliseconds, so load once per isolate, on first use. Throws
 * `ZodError` or `Error`
 * where the two do not describe a network.
 */
export const loadNetwork = (...files: Parameters<typeof layOutNetwork>): Network =>
  finishAtOnce(layOutNetwork(...files))

/** As `loadNetwork`; yields how many bytes it has laid out. */
export function* layOutNetwork(kernelsModule: WebAssembly.Module, json: unknown, weights: ArrayBuffer): Steps<Network> {
  const description = parseDescription(json)
  checkHeads(description)
  const kernels = new WebAssembly.Instance(kernelsModule).exports as unknown as Kernels
  const patches = { name: patchTensor, channels: patchChannels, stride: 2, range: description.input.range }
  const tensors = new Map<string, Tensor>([[description.input.name, patches]])
  let address = zerosAddress + zerosBytes
  const placeStep = (layer: Layer): Step => {
    if (layer.op === 'dense') {
      const inputs = description.layers.find(({ name }) => name === layer.inputs[0])?.channels ?? 0
      return { layer, inputs: [], output: undefined, dense: readDense(weights, layer, inputs) }
    }
    const inputs = layer.inputs.map((name) => getTensor(tensors, name))
    if (layer.op === 'pool') return { layer, inputs, output: undefined }
    const output = outputOf(layer, inputs)
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
    normalisation: normalisationTable(description.input),
    buffersStart: address,
    plans: new Map(),
  }
}

function getTensor(tensors: ReadonlyMap<string, Tensor>, name: string): Tensor {
  const tensor = tensors.get(name)
  if (tensor === undefined) throw new Error(`No layer before has the output ${name}`)
  return tensor
}

/** The steps on which these layers depend, in order. */
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

/** Throws where a layer cannot read its inputs. */
function outputOf(layer: KernelLayer, inputs: readonly Tensor[]): Tensor {
  const input = inputs[0]!
  const { name, channels } = layer
  const keepsChannels = layer.op === 'depthwise' || layer.op === 'add' || layer.op === 'upsample2x'
  const isFitting = keepsChannels
    ? inputs.every((other) => other.channels === channels && other.stride === input.stride) &&
      channels * 2 <= zerosBytes
    : (layer.op === 'conv3x3') === (input.name === patchTensor)
  if (!isFitting) throw new Error(`Layer ${name} does not fit its inputs`)
  if (layer.op === 'upsample2x') return { name, channels, stride: input.stride / 2, range: input.range }
  const stride = layer.op === 'depthwise' ? input.stride * layer.stride : input.stride
  return { name, channels, stride, range: layer.range }
}

/** Throws unless every head is a dense layer with an output for each class, and reads a pool before it. */
function checkHeads({ layers, heads, near, neck }: NetworkDescription) {
  for (const { name, layer, classes } of [...heads, ...near.heads, ...neck.heads]) {
    const dense = layers.findIndex((other) => other.name === layer && other.op === 'dense')
    const pool = layers.findIndex((other) => other.name === layers[dense]?.inputs[0] && other.op === 'pool')
    if (pool === -1 || pool > dense || layers[dense]?.channels !== classes.length)
      throw new Error(`Head ${name} has no dense layer on a pool with ${classes.length} outputs`)
  }
}
