import { yieldToEventLoop } from '../../../platform/limits/yield-to-event-loop.ts'
import { PictureError } from '../../picture-error.ts'

/** Reading and decompressing this many bytes takes about 0.05 s where each of them matters. */
const bytesPerTurn = 1_500_000

/**
 * Counts the work of a decoder, and gives other requests of the isolate their turn after about 0.05 s of it. Counted
 * instead of timed, because the clock of a Worker stands still while it computes.
 * @param share of a turn that was spent on pixels
 */
export type TakeTurn = (share: number) => Promise<void>

/** @param countBytes the bytes that the decoder has read so far */
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

/** In pages of 64 KiB, as in `build.sh`. A picture that needs more memory than the maximum is refused as damaged. */
const memoryPages = { initial: 16, maximum: 1024 }

const cutOff = 2

/**
 * The memory of the last picture. It is used again because a dropped one is freed late: ten pictures in a row took
 * hundreds of megabytes until the garbage collector ran.
 */
let idleMemory: WebAssembly.Memory | undefined

/**
 * Runs a codec on the bytes of `pieces`. Every picture has an instance of its own, in memory that is all zero: the
 * codecs are C code, and if a hostile file ever corrupted their memory, nothing of that would reach the next picture.
 * @param format names the format in errors
 * @param use is given the codec's functions, its memory, which must not be kept, and what to call between its functions
 */
export async function withCodec<Exports, Result>(
  module: WebAssembly.Module,
  format: string,
  pieces: readonly Uint8Array[],
  use: (exports: Exports, memory: WebAssembly.Memory, takeTurn: TakeTurn) => Promise<Result>,
): Promise<Result> {
  const memory = idleMemory ?? new WebAssembly.Memory(memoryPages)
  idleMemory = undefined
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
    // A trap, such as an access outside the memory.
    if (error instanceof WebAssembly.RuntimeError) throw damaged(format)
    throw error
  } finally {
    idleMemory = memory
  }
}

/** `read` copies the next bytes to an address in the codec's memory and returns their number; 0 at the end. */
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
