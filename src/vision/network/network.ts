import type { DenseParameters } from './heads.ts'
import type { Dense, KernelLayer, Pool } from './network-format.ts'
import type { BufferPlan } from './plan-buffers.ts'

/** The exports of `kernels.wasm`; see `kernels/` for their arguments. */
export interface Kernels {
  readonly memory: WebAssembly.Memory
  pointwise(...addressesAndSizes: number[]): void
  depthwise3x3(...addressesAndSizes: number[]): void
  depthwise5x5(...addressesAndSizes: number[]): void
  add(...addressesAndSizes: number[]): void
  upsample2x(...addressesAndSizes: number[]): void
}

/**
 * Activations in the kernels' memory: int16, height x width x `padChannels(channels)`, where height and width are the
 * picture's size / `stride`. LEVELS stands for `range`.
 */
export interface Tensor {
  readonly name: string
  readonly channels: number
  readonly stride: number
  readonly range: number
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
  /** See `normalisationTable`. */
  readonly normalisation: Int16Array
  /** First address after the weights. */
  readonly buffersStart: number
  /** By the picture's size; filled as sizes are used. */
  readonly plans: Map<number, BufferPlan>
}

/** Depthwise layers read pixels outside of the picture from here. */
export const zerosAddress = 64
export const zerosBytes = 4096
