import { maxProfileBytes } from '../colour-profile/read-profile.ts'

/** Of compressed bytes at a time, each of which may become a thousand. */
const pieceBytes = 256

/** The name before the profile has at most 79 bytes, and ends with a zero; another says how it is compressed. */
const maxNameBytes = 80

/**
 * The ICC profile in the body of `iCCP` (PNG specification, 11.3.2.3). Empty where it is damaged, or longer than those
 * that are read: no more of it is decompressed.
 */
export async function inflateProfile(body: Uint8Array): Promise<Uint8Array> {
  const start = body.subarray(0, maxNameBytes).indexOf(0) + 2
  if (start < 2 || body.length > maxProfileBytes) return new Uint8Array()
  const compressed = body.slice(start)
  let at = 0
  const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= compressed.length) controller.close()
      else controller.enqueue(compressed.subarray(at, (at += pieceBytes)))
    },
  })
  const profile = new Uint8Array(maxProfileBytes)
  let length = 0
  try {
    for await (const piece of pieces.pipeThrough(new DecompressionStream('deflate'))) {
      if (length + piece.length > maxProfileBytes) return new Uint8Array()
      profile.set(piece, length)
      length += piece.length
    }
  } catch {
    return new Uint8Array()
  }
  return profile.subarray(0, length)
}
