import type { KernelStep } from './network.ts'
import { padChannels } from './pack-weights.ts'
import { lengthOf } from './plan-buffers.ts'

/** A depthwise layer loads as much as it multiplies, and takes so many times as long. */
const depthwiseFactor = 3

/** How much a step computes for a picture of `size` x `size` pixels, in multiplications of a pointwise layer. */
export function workOf({ layer, inputs, output }: KernelStep, size: number): number {
  const values = lengthOf(output, size)
  if (layer.op === 'depthwise') return values * layer.kernel ** 2 * depthwiseFactor
  if (layer.op === 'add' || layer.op === 'upsample2x') return values
  return values * padChannels(inputs[0]!.channels)
}
