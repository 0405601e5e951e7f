import { growTo, placeParameters } from './load-network.ts'
import {
  type Activation,
  type Classifier,
  type Kernels,
  type KernelStep,
  type LandmarkHead,
  type Network,
  quantisedLevels,
  type Step,
  type Tensor,
  zerosAddress,
} from './network.ts'
import { padChannels } from './pack-weights.ts'
import { type BufferPlan, lengthOf, planBuffers } from './plan-buffers.ts'
import { gatherPatches } from './gather-patches.ts'
import { applyDense, averagePool } from './heads.ts'
import { runInTurns } from './run-in-turns.ts'

/** Computes a layer's output for a picture of `size` x `size` pixels. */
function runKernel(kernels: Kernels, { addresses }: BufferPlan, step: KernelStep, size: number) {
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

/** A depthwise layer loads as much as it multiplies, and takes so many times as long. */
const depthwiseFactor = 3

/** How much a step computes for a picture of `size` x `size` pixels, in multiplications of a pointwise layer. */
function workOf({ layer, inputs, output }: KernelStep, size: number): number {
  const values = lengthOf(output, size)
  if (layer.op === 'depthwise') return values * layer.kernel ** 2 * depthwiseFactor
  if (layer.op === 'add' || layer.op === 'upsample2x') return values
  return values * padChannels(inputs[0]!.channels)
}

/** Larger pictures would need more than the 32 MB of memory that the kernels are compiled for. */
const maxSize = 288

/** Logits in the order of the head's classes, by the head's name. */
export type HeadLogits = Readonly<Record<string, Float32Array>>

export interface NetworkOutput {
  readonly heads: HeadLogits
  /** Probability that a pixel is garment, row by row. */
  readonly outline: { readonly side: number; readonly probabilities: Float32Array }
}

/** Points of measure over the picture: for each name a map of `side` x `side` logits, row by row. */
export interface LandmarkMaps {
  readonly side: number
  readonly reach: number
  readonly points: readonly { readonly name: string; readonly logits: Float32Array; readonly presence: number }[]
}

/**
 * Runs the network on a picture of `size` x `size` RGB pixels; `size` is a multiple of 32 up to 288. The result does
 * not share memory with the network. The first runs of an isolate take several times as long as later ones, until V8
 * has optimised the kernels. Yields to the event loop in between. Throws `RangeError` if `pixels` is not such a
 * picture.
 */
export async function runNetwork(network: Network, pixels: Uint8Array, size: number): Promise<NetworkOutput> {
  const { outline, tags, drawingSteps: steps } = network
  return await runSteps(network, { steps, pixels, size }, ({ activationsOf, vectors }) => ({
    heads: headsOf(tags, vectors),
    outline: { side: size / outline.stride, probabilities: toProbabilities(activationsOf(outline), outline) },
  }))
}

/** As `runNetwork`, for the logits of one classifier of the network alone. */
export async function classify(
  network: Network,
  classifier: Classifier,
  pixels: Uint8Array,
  size: number,
): Promise<HeadLogits> {
  const { steps } = classifier
  return await runSteps(network, { steps, pixels, size }, ({ vectors }) => headsOf(classifier, vectors))
}

/** As `runNetwork`, for the points of measure alone. */
export async function findLandmarks(network: Network, pixels: Uint8Array, size: number): Promise<LandmarkMaps> {
  const { landmarks } = network
  const { steps } = landmarks
  return await runSteps(network, { steps, pixels, size }, (results) => toLandmarks(landmarks, size, results))
}

const headsOf = ({ heads }: Classifier, vectors: ReadonlyMap<string, Float32Array>): HeadLogits =>
  Object.fromEntries(heads.map(({ name, layer }) => [name, vectors.get(layer)!]))

/** What steps gave: tensors by reading them from the kernels' memory, vectors by the name of their layer. */
interface Results {
  readonly activationsOf: (tensor: Tensor) => Int16Array
  readonly vectors: ReadonlyMap<string, Float32Array>
}

interface Input {
  readonly steps: readonly Step[]
  readonly pixels: Uint8Array
  readonly size: number
}

/** @param read what the run is for; the kernels' memory is the run's own until it returns */
async function runSteps<Result>(
  network: Network,
  { steps, pixels, size }: Input,
  read: (results: Results) => Result,
): Promise<Result> {
  if (size % 32 !== 0 || size > maxSize || size === 0 || pixels.length !== size * size * 3)
    throw new RangeError(`The network cannot read ${pixels.length} bytes as a picture of ${size} x ${size} pixels`)
  const plan = planFor(network, size)
  const activationsOf = (tensor: Tensor) =>
    new Int16Array(network.kernels.memory.buffer, plan.addresses.get(tensor.name), lengthOf(tensor, size))
  return await runInTurns(network.use, function* compute() {
    gatherPatches(pixels, size, network.normalisation, activationsOf(network.patches))
    const vectors = new Map<string, Float32Array>()
    for (const step of steps) {
      if (step.output === undefined) {
        const vector =
          'dense' in step
            ? applyDense(step.dense, vectors.get(step.layer.inputs[0])!)
            : averagePool(activationsOf(step.inputs[0]!), step.inputs[0]!)
        vectors.set(step.layer.name, vector)
        continue
      }
      runKernel(network.kernels, plan, step, size)
      yield workOf(step, size)
    }
    return read({ activationsOf, vectors })
  })
}

function planFor(network: Network, size: number): BufferPlan {
  const known = network.plans.get(size)
  if (known !== undefined) return known
  const { steps, patches, outline, landmarks, buffersStart } = network
  const plan = planBuffers(steps, { patches, results: [outline, landmarks.maps] }, size, buffersStart)
  growTo(network.kernels.memory, plan.end)
  network.plans.set(size, plan)
  return plan
}

/** The logistic function of a tensor's first channel. */
function toProbabilities(activations: Int16Array, { channels, range }: Tensor): Float32Array {
  const step = padChannels(channels)
  const probabilities = new Float32Array(activations.length / step)
  for (let i = 0; i < probabilities.length; i++)
    probabilities[i] = 1 / (1 + Math.exp((-activations[i * step]! * range) / quantisedLevels))
  return probabilities
}

function toLandmarks(
  { names, maps, reach, presence: layer }: LandmarkHead,
  size: number,
  { activationsOf, vectors }: Results,
): LandmarkMaps {
  const [activations, presence] = [activationsOf(maps), vectors.get(layer)!]
  const side = size / maps.stride
  const step = padChannels(maps.channels)
  const logitsOf = (channel: number) => {
    const logits = new Float32Array(side * side)
    for (let cell = 0; cell < logits.length; cell++)
      logits[cell] = (activations[cell * step + channel]! * maps.range) / quantisedLevels
    return logits
  }
  const points = names.map((name, channel) => ({
    name,
    logits: logitsOf(channel),
    presence: 1 / (1 + Math.exp(-presence[channel]!)),
  }))
  return { side, reach, points }
}
