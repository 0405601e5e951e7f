import { z } from 'zod'
import type { DenseParameters } from './heads.ts'
import type { BufferPlan } from './plan-buffers.ts'

/** Levels of a tensor are bytes from 0 to this. */
export const maxLevel = 127

const channels = z.int().positive()
const range = z.number().positive()
const activation = z.enum(['relu6', 'none'])
const byteOffset = z.int().nonnegative()
const oneInput = z.tuple([z.string()])

/** Byte offsets in the weights' file: int8 weights, float32 scales and biases for each output channel. */
const parameters = { weights: byteOffset, scales: byteOffset, biases: byteOffset }
const convolution = { name: z.string(), inputs: oneInput, channels, activation, range, ...parameters }

const layer = z.discriminatedUnion('op', [
  /** Weights `[out][3][3][in]`, zero padding 1. Only as the first layer, on the picture. */
  z.object({ op: z.literal('conv3x3'), stride: z.literal(2), ...convolution }),
  /** Weights `[kernel][kernel][channels]`, zero padding `kernel >> 1`. */
  z.object({
    op: z.literal('depthwise'),
    kernel: z.union([z.literal(3), z.literal(5)]).default(3),
    stride: z.union([z.literal(1), z.literal(2)]),
    ...convolution,
  }),
  /** Weights `[out][in]`. */
  z.object({ op: z.literal('pointwise'), ...convolution }),
  z.object({
    op: z.literal('add'),
    name: z.string(),
    inputs: z.tuple([z.string(), z.string()]),
    channels,
    activation,
    range,
  }),
  /** Nearest neighbour. */
  z.object({ op: z.literal('upsample2x'), name: z.string(), inputs: oneInput, channels }),
  /** The mean of each channel over the picture. */
  z.object({ op: z.literal('pool'), name: z.string(), inputs: oneInput, channels }),
  /** Weights `[out][in]` on a pooled vector; its outputs are logits. */
  z.object({ op: z.literal('dense'), name: z.string(), inputs: oneInput, channels, ...parameters }),
])

const heads = z.array(z.object({ name: z.string(), layer: z.string(), classes: z.array(z.string()) }))

const networkDescription = z.object({
  version: z.literal(1),
  /** The network sees `(pixel / 255 - mean) / deviation`. */
  input: z.object({ name: z.string(), mean: z.number(), deviation: z.number() }),
  /** In execution order. */
  layers: z.array(layer),
  heads,
  outline: z.object({ layer: z.string() }),
  // Small networks that look from near; their layers read pictures of their own.
  /** Points of measure: a map of logits for each, and a dense layer that says whether it is there. */
  landmarks: z.object({
    layer: z.string(),
    presence: z.string(),
    names: z.array(z.string()),
    /** Cells on each side of a map's highest one whose mean is the place. */
    reach: z.int().positive(),
  }),
  /** The garment. */
  near: z.object({ heads }),
  /** Where a neckline is. */
  neck: z.object({ heads }),
})

export type NetworkDescription = z.infer<typeof networkDescription>
export type Layer = NetworkDescription['layers'][number]
export type Convolution = Extract<Layer, { op: 'conv3x3' | 'depthwise' | 'pointwise' }>
export type Dense = Extract<Layer, { op: 'dense' }>
type Pool = Extract<Layer, { op: 'pool' }>
export type KernelLayer = Exclude<Layer, Dense | Pool>

/** Parses `network.json`. Throws `ZodError` for anything else; keys that it does not know are left out. */
export function parseDescription(json: unknown): NetworkDescription {
  return networkDescription.parse(json)
}

/** The exports of `kernels.wasm`; see `kernels/` for their arguments. */
export interface Kernels {
  readonly memory: WebAssembly.Memory
  pointwise(...addressesAndSizes: number[]): void
  depthwise(...addressesAndSizes: number[]): void
  add(...addressesAndSizes: number[]): void
  upsample2x(...addressesAndSizes: number[]): void
}

/**
 * Activations in the kernels' memory: bytes, height x width x `padChannels(channels)`, where height and width are the
 * picture's size / `stride`. A real number is `(level - zero) * step`.
 */
export interface Tensor {
  readonly name: string
  readonly channels: number
  readonly stride: number
  readonly zero: number
  readonly step: number
  /** Int16 in place of bytes: logits, which no kernel reads. */
  readonly isWide: boolean
}

/** A layer that a kernel computes. */
export interface KernelStep {
  readonly layer: KernelLayer
  readonly inputs: readonly Tensor[]
  readonly output: Tensor
  /** Address of the packed weights; 0 if the layer has none. */
  readonly parameters: number
}

/** The means of channels: a vector of reals outside of the kernels' memory, as is a dense layer's result. */
interface PoolStep {
  readonly layer: Pool
  readonly inputs: readonly Tensor[]
  readonly output: undefined
}

interface DenseStep {
  readonly layer: Dense
  readonly inputs: readonly Tensor[]
  readonly output: undefined
  readonly dense: DenseParameters
}

export type Step = KernelStep | PoolStep | DenseStep

interface Head {
  readonly name: string
  /** The dense layer that computes its logits. */
  readonly layer: string
  readonly classes: readonly string[]
}

/** Heads, and the steps that they depend on. */
export interface Classifier {
  readonly heads: readonly Head[]
  readonly steps: readonly Step[]
}

/** A network that finds points of measure in a picture of its own. */
export interface LandmarkHead {
  readonly steps: readonly Step[]
  /** Logits of a point's map in the channel of its place in `names`. */
  readonly maps: Tensor
  /** The dense layer whose outputs are the logits of each point's being there. */
  readonly presence: string
  readonly names: readonly string[]
  readonly reach: number
}

/** Which run last wrote to the kernels' memory: between two turns of a run, another one may. */
export interface MemoryUse {
  latest: object | undefined
  /** Runs to come that do not yield within. */
  runsAtOnce: number
  /** Multiplications since a run last yielded. */
  work: number
}

/** A network whose weights lie in the memory of its own instance of the kernels. */
export interface Network {
  readonly kernels: Kernels
  readonly use: MemoryUse
  readonly steps: readonly Step[]
  /** Those of them that the tags and the outline depend on. */
  readonly drawingSteps: readonly Step[]
  readonly tags: Classifier
  /** A second network, which looks at the garment from near. */
  readonly near: Classifier
  /** A third one, of a picture of where a neckline is. */
  readonly neck: Classifier
  /** What the first convolution reads; see `gatherPatches`. */
  readonly patches: Tensor
  /** Logits in its first channel. */
  readonly outline: Tensor
  readonly landmarks: LandmarkHead
  /** First address after the weights. */
  readonly buffersStart: number
  /** By the picture's size; filled as sizes are used. */
  readonly plans: Map<number, BufferPlan>
}

/** The level of zero in a tensor that has negative numbers, too. */
export const signedZero = 64

/** Depthwise layers keep the addresses of their taps here. */
export const tapsAddress = 64

/** Depthwise layers read pixels outside of the picture from here: first levels of 0, then of `signedZero`. */
export const zerosAddress = 192
export const zerosBytes = 2048
