import { normalisationTable, patchChannels } from './gather-patches.ts'
import { readDense } from './heads.ts'
import { loadParameters } from './load-parameters.ts'
import {
  type Kernels,
  type LandmarkHead,
  type Network,
  type Step,
  type Tensor,
  zerosAddress,
  zerosBytes,
} from './network.ts'
import { finishAtOnce, type Steps } from './run-in-turns.ts'
import { type KernelLayer, type Layer, type NetworkDescription, parseDescription } from './network-format.ts'

/** Name of the tensor that stands for the picture. */
const patchTensor = 'patches'

/**
 * Lays the weights out in the memory of a new instance of the kernels. `json` is the parsed `network.json`, `weights`
 * is the file that it describes. Takes tens of milliseconds, so load once per isolate, on first use. Throws `ZodError` or `Error`
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
  const classifierOf = (own: typeof heads) => ({
    heads: own,
    steps: stepsFor(
      own.map(({ layer }) => layer),
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
