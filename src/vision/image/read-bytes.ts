/** Reads a byte stream in pieces of any size. Holds at most one piece. */
export interface ByteSource {
  readonly take: (length: number) => Promise<Uint8Array>
  /** Returns the next bytes as they arrive, at most `limit`. Empty at the end. */
  readonly some: (limit: number) => Promise<Uint8Array>
  /** Puts back the end of the piece that was read last. */
  readonly unread: (bytes: Uint8Array) => void
}

const none = new Uint8Array()

export function createByteSource(stream: ReadableStream<Uint8Array>): ByteSource {
  const reader = stream.getReader()
  let rest: Uint8Array = none
  const fill = async (): Promise<boolean> => {
    while (rest.length === 0) {
      const { done, value } = await reader.read()
      if (done) return false
      rest = value
    }
    return true
  }
  const some = async (limit: number): Promise<Uint8Array> => {
    if (limit === 0 || !(await fill())) return none
    const piece = rest.subarray(0, limit)
    rest = rest.subarray(piece.length)
    return piece
  }
  const take = async (length: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(length)
    let filled = 0
    while (filled < length) {
      const piece = await some(length - filled)
      if (piece.length === 0) break
      bytes.set(piece, filled)
      filled += piece.length
    }
    return bytes.subarray(0, filled)
  }
  const unread = (bytes: Uint8Array) => {
    if (bytes.buffer === rest.buffer && bytes.byteOffset + bytes.length === rest.byteOffset) {
      rest = new Uint8Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.length + rest.length)
      return
    }
    const joined = new Uint8Array(bytes.length + rest.length)
    joined.set(bytes)
    joined.set(rest, bytes.length)
    rest = joined
  }
  return { take, some, unread }
}

export async function* pass({ some }: ByteSource, length: number): AsyncGenerator<Uint8Array> {
  for (let left = length; left > 0;) {
    const piece = await some(left)
    if (piece.length === 0) return
    left -= piece.length
    yield piece
  }
}

export async function skip(source: ByteSource, length: number): Promise<number> {
  let skipped = 0
  for await (const piece of pass(source, length)) skipped += piece.length
  return skipped
}

export function readAscii(bytes: Uint8Array, offset: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(offset, offset + length))
}

export function hasAscii(bytes: Uint8Array, offset: number, text: string): boolean {
  return readAscii(bytes, offset, text.length) === text
}
