import { PictureError } from '../../picture-error.ts'

export interface Codec<Exports> {
  readonly exports: Exports
  readonly memory: WebAssembly.Memory
}

/** Pages of 64 KiB, as in `build.sh`. A picture that needs more memory than the maximum is refused as damaged. */
const MEMORY = { initial: 16, maximum: 1024 }

const CUT_OFF = 2

/**
 * Starts a codec that reads `pieces` one after the other. Every picture has an instance of its own: the codecs are C
 * code, and if a hostile file ever corrupted their memory, nothing of that would reach the next picture.
 * @param format names the format in the sentences for the client
 */
export function instantiateCodec<Exports>(
  module: WebAssembly.Module,
  format: string,
  pieces: readonly Uint8Array[],
): Codec<Exports> {
  const memory = new WebAssembly.Memory(MEMORY)
  const host = {
    read: createReader(pieces, memory),
    fail: (reason: number) => {
      throw reason === CUT_OFF ? new PictureError(`The ${format} image is cut off before its end.`) : damaged(format)
    },
  }
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, host })
  return { exports: exports as Exports, memory }
}

/** Copies the next bytes to an address in the codec's memory and returns their number; 0 at the end. */
function createReader(pieces: readonly Uint8Array[], memory: WebAssembly.Memory) {
  let next = 0
  let rest: Uint8Array = new Uint8Array(0)
  return (address: number, capacity: number): number => {
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
    return count
  }
}

/** Turns a trap in the codec, such as an access outside its memory, into an error about the picture. */
export function toPictureError(error: unknown, format: string): unknown {
  return error instanceof WebAssembly.RuntimeError ? damaged(format) : error
}

export function damaged(format: string): PictureError {
  return new PictureError(`The ${format} image is damaged and cannot be decoded.`)
}
