import type { Step, Tensor } from './network.ts'
import { padChannels } from './pack-weights.ts'

export interface BufferPlan {
  /** Address of each tensor in the kernels' memory, by name. */
  readonly addresses: ReadonlyMap<string, number>
  readonly end: number
}

interface Block {
  readonly start: number
  readonly end: number
  readonly lastUse: number
}

/** Returns the number of values of a tensor for an input of `size` x `size` pixels. */
export function lengthOf({ channels, stride }: Tensor, size: number): number {
  return (size / stride) ** 2 * padChannels(channels)
}

export const bytesOf = (tensor: Tensor, size: number): number => lengthOf(tensor, size) * (tensor.isWide ? 2 : 1)

/**
 * Plans the addresses of all tensors for an input of `size` x `size` pixels. A tensor's bytes are free after the last
 * step that reads it, and each tensor takes the first gap that is wide enough. `patches` exists before the first step.
 * `results` are kept until after the last.
 */
export function planBuffers(
  steps: readonly Step[],
  { patches, results }: { patches: Tensor; results: readonly Tensor[] },
  size: number,
  start: number,
): BufferPlan {
  const lastUses = new Map<string, number>()
  steps.forEach((step, index) => step.inputs.forEach(({ name }) => lastUses.set(name, index)))
  for (const { name } of results) lastUses.set(name, steps.length)
  const addresses = new Map<string, number>()
  let live: Block[] = []
  let end = start
  const place = (tensor: Tensor, index: number) => {
    const bytes = bytesOf(tensor, size)
    let address = start
    for (const block of live) {
      if (block.start - address >= bytes) break
      address = block.end
    }
    live.push({ start: address, end: address + bytes, lastUse: lastUses.get(tensor.name) ?? index })
    live.sort((a, b) => a.start - b.start)
    end = Math.max(end, address + bytes)
    addresses.set(tensor.name, address)
  }
  place(patches, 0)
  steps.forEach(({ output }, index) => {
    live = live.filter((block) => block.lastUse >= index)
    if (output !== undefined) place(output, index)
  })
  return { addresses, end }
}
