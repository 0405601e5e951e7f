import { yieldToEventLoop } from '../../../platform/limits/yield-to-event-loop.ts'
import { PictureError } from '../../picture-error.ts'

/** Reading and decompressing this many bytes takes about 0.05 s. */
const bytesPerTurn = 1_500_000

/**
 * Counts a decoder's work, and yields to other requests after about 0.05 s. A Worker's clock stands still during work,
 * so time cannot be measured. `share` is pixel work as a share of one turn.
 */
export type TakeTurn = (share: number) => Promise<void>

function createTurns(countBytes: () => number): TakeTurn {
  let work = 0
  let counted = 0
  return async (share) => {
    const bytes = countBytes()
    work += share + (bytes - counted) / bytesPerTurn
    counted = bytes
    if (work < 1) return
    work = 0
    await yieldToEventLoop()
  }
}

/** Pages of 64 KiB, as in `build.sh` and `build-kernels.ts`. Pictures that need more memory count as damaged. */
const memoryPages = { initial: 16, maximum: 1024 }

const cutOff = 2

/** Memory of the last use, reused because dropped memories are freed late. */
let idleMemory: WebAssembly.Memory | undefined

/** Calls `use` with memory for it alone. The memory has earlier contents, and `use` must not keep it. */
export async function withMemory<Result>(use: (memory: WebAssembly.Memory) => Promise<Result>): Promise<Result> {
  const memory = idleMemory ?? new WebAssembly.Memory(memoryPages)
  idleMemory = undefined
  try {
    return await use(memory)
  } finally {
    idleMemory = memory
  }
}

/**
 * Runs a codec on the bytes of `pieces`. Each picture gets a new instance with zeroed memory, so that a hostile file
 * cannot affect the next one. `use` must not keep the memory.
 */
export async function withCodec<Exports, Result>(
  module: WebAssembly.Module,
  format: string,
  pieces: readonly Uint8Array[],
  use: (exports: Exports, memory: WebAssembly.Memory, takeTurn: TakeTurn) => Promise<Result>,
): Promise<Result> {
  return await withMemory(async (memory) => {
    new Uint8Array(memory.buffer).fill(0)
    const reader = createReader(pieces, memory)
    const host = {
      read: reader.read,
      fail: (reason: number) => {
        throw reason === cutOff ? new PictureError('cut_off', { format }) : damaged(format)
      },
    }
    try {
      const { exports } = new WebAssembly.Instance(module, { env: { memory }, host })
      return await use(exports as Exports, memory, createTurns(reader.countBytes))
    } catch (error) {
      // The codec trapped, for example on a read outside its memory.
      if (error instanceof WebAssembly.RuntimeError) throw damaged(format)
      throw error
    }
  })
}

/** Creates the codec's `read`, which copies the next bytes to an address and returns their number. */
function createReader(pieces: readonly Uint8Array[], memory: WebAssembly.Memory) {
  let next = 0
  let rest: Uint8Array = new Uint8Array(0)
  let total = 0
  const read = (address: number, capacity: number): number => {
    let count = 0
    while (count < capacity) {
      if (rest.length === 0) {
        const piece = pieces[next++]
        if (piece === undefined) break
        rest = piece
      }
      const part = rest.subarray(0, capacity - count)
      new Uint8Array(memory.buffer, address + count, part.length).set(part)
      rest = rest.subarray(part.length)
      count += part.length
    }
    total += count
    return count
  }
  return { read, countBytes: () => total }
}

export function damaged(format: string): PictureError {
  return new PictureError('damaged', { format })
}
