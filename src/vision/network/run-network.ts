import { growTo, placeParameters } from './load-network.ts'
import {
  type Classifier,
  type Kernels,
  type KernelStep,
  type LandmarkHead,
  type Network,
  type Step,
  type Tensor,
  tapsAddress,
  zerosAddress,
  zerosBytes,
} from './network.ts'
import { groupChannels, padChannels } from './pack-weights.ts'
import { type BufferPlan, lengthOf, planBuffers } from './plan-buffers.ts'
import { gatherPatches } from './gather-patches.ts'
import { applyDense, averagePool, poolContrasts } from './heads.ts'
import { runInTurns } from './run-in-turns.ts'

/** Computes a layer's output for an input of `size` x `size` pixels. */
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
  if (layer.op === 'add') {
    const second = inputs[1]!
    const [scale, otherScale] = [input.step / output.step, second.step / output.step] as const
    const bias = output.zero + 0.5 - input.zero * scale - second.zero * otherScale
    kernels.add(source, other, target, lengthOf(output, size), scale, otherScale, bias)
    return
  }
  const { weights, scales, biases } = placeParameters(layer, input, parameters)
  if (layer.op === 'depthwise') {
    const geometry = [side, side, channels, layer.kernel, layer.stride] as const
    const zeros = input.zero === 0 ? zerosAddress : zerosAddress + zerosBytes
    kernels.depthwise(source, target, ...geometry, weights, scales, biases, zeros, tapsAddress)
    return
  }
  const outStride = output.isWide ? channels * 2 : channels
  const counts = [padChannels(input.channels), outStride, groupChannels(input.channels), groupChannels(output.channels)]
  kernels.pointwise(source, target, side * side, ...counts, weights, scales, biases, Number(output.isWide))
}

/** Cost of a depthwise multiplication relative to a pointwise one: it loads as much as it multiplies. */
const depthwiseFactor = 3

/** Returns the cost of a step, in multiplications of a pointwise layer. */
function workOf({ layer, inputs, output }: KernelStep, size: number): number {
  const values = lengthOf(output, size)
  if (layer.op === 'depthwise') return values * layer.kernel ** 2 * depthwiseFactor
  if (layer.op === 'add' || layer.op === 'upsample2x') return values
  return values * groupChannels(inputs[0]!.channels)
}

/** Maximum input size. Larger inputs would need more than the kernels' 32 MiB of memory. */
const maxSize = 288

export type HeadLogits = Readonly<Record<string, Float32Array>>

export interface NetworkOutput {
  readonly heads: HeadLogits
  readonly outline: { readonly side: number; readonly probabilities: Float32Array }
}

/** Landmark maps over a square: `side` x `side` logits for each name, row by row. */
export interface LandmarkMaps {
  readonly side: number
  readonly reach: number
  readonly points: readonly { readonly name: string; readonly logits: Float32Array; readonly presence: number }[]
}

/**
 * Runs the first network on `size` x `size` RGB pixels. `size` is a multiple of 32, at most 288. The result does not
 * share memory with the network. Yields to the event loop. Throws `RangeError` if `pixels` has another length. An
 * isolate's first runs take several times as long, until V8 has optimised the kernels.
 */
export async function runNetwork(network: Network, pixels: Uint8Array, size: number): Promise<NetworkOutput> {
  const { outline, tags, drawingSteps: steps } = network
  return await runSteps(network, { steps, pixels, size }, ({ logitsOf, vectors }) => ({
    heads: headsOf(tags, vectors),
    outline: { side: size / outline.stride, probabilities: logitsOf(outline, 0).map(logistic) },
  }))
}

/** Runs one classifier only, otherwise like `runNetwork`. */
export async function classify(
  network: Network,
  classifier: Classifier,
  pixels: Uint8Array,
  size: number,
): Promise<HeadLogits> {
  const { steps } = classifier
  return await runSteps(network, { steps, pixels, size }, ({ vectors }) => headsOf(classifier, vectors))
}

export async function findLandmarks(network: Network, pixels: Uint8Array, size: number): Promise<LandmarkMaps> {
  const { landmarks } = network
  const { steps } = landmarks
  return await runSteps(network, { steps, pixels, size }, (results) => toLandmarks(landmarks, size, results))
}

const headsOf = ({ heads }: Classifier, vectors: ReadonlyMap<string, Float32Array>): HeadLogits =>
  Object.fromEntries(heads.map(({ name, layer }) => [name, vectors.get(layer)!]))

/** Results of steps: logits as real numbers, and vectors by layer name. */
interface Results {
  readonly logitsOf: (tensor: Tensor, channel: number) => Float32Array
  readonly vectors: ReadonlyMap<string, Float32Array>
}

interface Input {
  readonly steps: readonly Step[]
  readonly pixels: Uint8Array
  readonly size: number
}

/** @param read reads the result. The kernels' memory belongs to this run until `read` returns */
async function runSteps<Result>(
  network: Network,
  { steps, pixels, size }: Input,
  read: (results: Results) => Result,
): Promise<Result> {
  if (size % 32 !== 0 || size > maxSize || size === 0 || pixels.length !== size * size * 3)
    throw new RangeError(`The network cannot read ${pixels.length} bytes as a picture of ${size} x ${size} pixels`)
  const plan = planFor(network, size)
  const placeOf = (tensor: Tensor) =>
    [network.kernels.memory.buffer, plan.addresses.get(tensor.name)!, lengthOf(tensor, size)] as const
  const logitsOf = (tensor: Tensor, channel: number) => {
    const levels = new Int16Array(...placeOf(tensor))
    const padded = padChannels(tensor.channels)
    const logits = new Float32Array(levels.length / padded)
    for (let i = 0, at = channel; i < logits.length; i++, at += padded) logits[i] = levels[at]! * tensor.step
    return logits
  }
  return await runInTurns(network.use, function* compute() {
    gatherPatches(pixels, size, new Uint8Array(...placeOf(network.patches)))
    const vectors = new Map<string, Float32Array>()
    const readVector = (step: Exclude<Step, KernelStep>) => {
      if ('dense' in step) return applyDense(step.dense, vectors.get(step.layer.inputs[0])!)
      const input = step.inputs[0]!
      const pool = step.layer.op === 'pool' ? averagePool : poolContrasts
      return pool(new Uint8Array(...placeOf(input)), input)
    }
    for (const step of steps) {
      if (step.output === undefined) {
        vectors.set(step.layer.name, readVector(step))
        continue
      }
      runKernel(network.kernels, plan, step, size)
      yield workOf(step, size)
    }
    return read({ logitsOf, vectors })
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

const logistic = (logit: number) => 1 / (1 + Math.exp(-logit))

function toLandmarks(
  { names, maps, reach, presence: layer }: LandmarkHead,
  size: number,
  { logitsOf, vectors }: Results,
): LandmarkMaps {
  const presence = vectors.get(layer)!
  const points = names.map((name, channel) => ({
    name,
    logits: logitsOf(maps, channel),
    presence: logistic(presence[channel]!),
  }))
  return { side: size / maps.stride, reach, points }
}
