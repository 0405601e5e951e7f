import { z } from 'zod'
import type { DenseParameters } from './heads.ts'
import type { BufferPlan } from './plan-buffers.ts'

/** Tensor levels are bytes from 0 to this maximum. */
export const maxLevel = 127

const channels = z.int().positive()
const range = z.number().positive()
const activation = z.enum(['relu6', 'none'])
const byteOffset = z.int().nonnegative()
const oneInput = z.tuple([z.string()])

/** Byte offsets in the weights file: int8 weights, and float32 scales and biases for each output channel. */
const parameters = { weights: byteOffset, scales: byteOffset, biases: byteOffset }
const convolution = { name: z.string(), inputs: oneInput, channels, activation, range, ...parameters }

const layer = z.discriminatedUnion('op', [
  /** Weights `[out][3][3][in]`, zero padding 1. Only allowed as the first layer, on the picture. */
  z.object({ op: z.literal('conv3x3'), stride: z.literal(2), ...convolution }),
  /** Weights `[kernel][kernel][channels]`, zero padding `kernel >> 1`. */
  z.object({
    op: z.literal('depthwise'),
    kernel: z.union([z.literal(3), z.literal(5)]).default(3),
    stride: z.union([z.literal(1), z.literal(2)]),
    ...convolution,
  }),
  z.object({ op: z.literal('pointwise'), ...convolution }),
  z.object({
    op: z.literal('add'),
    name: z.string(),
    inputs: z.tuple([z.string(), z.string()]),
    channels,
    activation,
    range,
  }),
  z.object({ op: z.literal('upsample2x'), name: z.string(), inputs: oneInput, channels }),
  /** Averages each channel over the picture. */
  z.object({ op: z.literal('pool'), name: z.string(), inputs: oneInput, channels }),
  /** Means of the top third minus the bottom third by channel, then of the left third minus the right third. */
  z.object({ op: z.literal('contrast'), name: z.string(), inputs: oneInput, channels }),
  /** Weights `[out][in]` on a pooled vector. Its outputs are logits. */
  z.object({ op: z.literal('dense'), name: z.string(), inputs: oneInput, channels, ...parameters }),
])

const heads = z.array(z.object({ name: z.string(), layer: z.string(), classes: z.array(z.string()) }))

const networkDescription = z.object({
  version: z.literal(1),
  /** Input normalisation: `(pixel / 255 - mean) / deviation`. */
  input: z.object({ name: z.string(), mean: z.number(), deviation: z.number() }),
  layers: z.array(layer),
  heads,
  outline: z.object({ layer: z.string() }),
  // Small networks that look at the garment from near. Their layers read inputs of their own.
  /** Landmarks: a map of logits for each, and a dense layer with the logit that it is visible. */
  landmarks: z.object({
    layer: z.string(),
    presence: z.string(),
    names: z.array(z.string()),
    /** Radius in cells around the highest cell of a map, whose weighted mean is the position. */
    reach: z.int().positive(),
  }),
  near: z.object({ heads }),
  neck: z.object({ heads }),
})

export type NetworkDescription = z.infer<typeof networkDescription>
export type Layer = NetworkDescription['layers'][number]
export type Convolution = Extract<Layer, { op: 'conv3x3' | 'depthwise' | 'pointwise' }>
export type Dense = Extract<Layer, { op: 'dense' }>
export type Pool = Extract<Layer, { op: 'pool' | 'contrast' }>
export type KernelLayer = Exclude<Layer, Dense | Pool>

/** Parses `network.json`. Throws `ZodError` if it is invalid. Unknown keys are ignored. */
export function parseDescription(json: unknown): NetworkDescription {
  return networkDescription.parse(json)
}

/** Exports of `kernels.wasm`. See `kernels.ts` for their arguments. */
export interface Kernels {
  readonly memory: WebAssembly.Memory
  pointwise(...addressesAndSizes: number[]): void
  depthwise(...addressesAndSizes: number[]): void
  add(...addressesAndSizes: number[]): void
  upsample2x(...addressesAndSizes: number[]): void
}

/**
 * Activations in the kernels' memory: bytes of height x width x `padChannels(channels)`, with height and width equal to
 * the picture's size / `stride`. A real number is `(level - zero) * step`.
 */
export interface Tensor {
  readonly name: string
  readonly channels: number
  readonly stride: number
  readonly zero: number
  readonly step: number
  /** True for int16 instead of bytes: logits, which no kernel reads. */
  readonly isWide: boolean
}

export interface KernelStep {
  readonly layer: KernelLayer
  readonly inputs: readonly Tensor[]
  readonly output: Tensor
  /** Address of the packed weights, or 0 if the layer has none. */
  readonly parameters: number
}

/** A vector of real numbers outside the kernels' memory, like a dense layer's result. */
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
  readonly layer: string
  readonly classes: readonly string[]
}

export interface Classifier {
  readonly heads: readonly Head[]
  readonly steps: readonly Step[]
}

export interface LandmarkHead {
  readonly steps: readonly Step[]
  /** Map of logits for each landmark, in the channel of its index in `names`. */
  readonly maps: Tensor
  /** Dense layer with the logit of each landmark's visibility. */
  readonly presence: string
  readonly names: readonly string[]
  readonly reach: number
}

/** Tracks which run last wrote to the kernels' memory, because runs can interleave between their turns. */
export interface MemoryUse {
  latest: object | undefined
  /** Number of following runs that do not yield while they compute. */
  runsAtOnce: number
  work: number
}

export interface Network {
  readonly kernels: Kernels
  readonly use: MemoryUse
  readonly steps: readonly Step[]
  readonly drawingSteps: readonly Step[]
  readonly tags: Classifier
  readonly near: Classifier
  readonly neck: Classifier
  /** Input of the first convolution. See `gatherPatches`. */
  readonly patches: Tensor
  readonly outline: Tensor
  readonly landmarks: LandmarkHead
  readonly buffersStart: number
  /** Buffer plans by input size, filled on first use. */
  readonly plans: Map<number, BufferPlan>
}

/** Zero level of tensors with negative numbers. */
export const signedZero = 64

/** Depthwise layers store the addresses of their taps here. */
export const tapsAddress = 64

/** Levels for pixels outside the picture: first `zerosBytes` of 0, then as many of `signedZero`. */
export const zerosAddress = 192
export const zerosBytes = 2048
