import { hasAscii, readAscii } from '../ascii.ts'
import { type ByteSource, pass, skip } from '../metadata/byte-source.ts'
import { keepOrientation } from '../metadata/orientation-block.ts'
import { maxChunks } from './read-webp-header.ts'

/** EXIF of a camera; what is longer is erased with its orientation. */
const maxExif = 0x40000

/**
 * A WebP whose metadata, but for the orientation, is overwritten with zeros: the file says its own length before them.
 * What follows its end is left out.
 */
export async function* eraseWebp(source: ByteSource): AsyncGenerator<Uint8Array> {
  const start = await source.take(12)
  if (start.length < 12 || !hasAscii(start, 0, 'RIFF') || !hasAscii(start, 8, 'WEBP')) return
  yield start
  let left = new DataView(start.buffer).getUint32(4, true) - 4
  for (let count = 0; left > 0 && count <= maxChunks; count++) {
    const head = await source.take(8)
    if (head.length < 8) return
    const name = readAscii(head, 0, 4)
    const size = new DataView(head.buffer, head.byteOffset).getUint32(4, true)
    // Chunks are padded to an even length.
    const length = Math.min(size + (size % 2), left - 8)
    yield head
    if (name === 'EXIF' || name === 'XMP ') {
      const block = await source.take(name === 'EXIF' && length <= maxExif ? length : 0)
      const rest = await skip(source, length - block.length)
      const kept = keepOrientation(block)
      yield* zeros(block.length + rest, kept !== null && kept.length <= block.length ? kept : [])
    } else yield* pass(source, length)
    left -= 8 + length
  }
}

/** `length` zeros, but for their beginning. */
function* zeros(length: number, beginning: readonly number[]): Generator<Uint8Array> {
  const piece = new Uint8Array(Math.min(length, 0x10000))
  piece.set(beginning)
  for (let left = length; left > 0; left -= 0x10000) {
    yield piece.slice(0, left)
    piece.fill(0)
  }
}
