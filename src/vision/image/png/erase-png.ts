import { hasAscii, readAscii } from '../ascii.ts'
import { type ByteSource, pass, skip } from '../metadata/byte-source.ts'
import { keepOrientation } from '../metadata/orientation-block.ts'
import { maxChunks } from './read-png-header.ts'

/** What shows the picture. Every other chunk, such as a text, may say who, when or where. */
const keptChunks = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '))

/** A PNG without its metadata but for the orientation, and without what follows its end. */
export async function* erasePng(source: ByteSource): AsyncGenerator<Uint8Array> {
  const start = await source.take(8)
  if (!hasAscii(start, 1, 'PNG\r\n')) return
  yield start
  for (let count = 0; count <= maxChunks; count++) {
    const head = await source.take(8)
    if (head.length < 8) return
    const length = new DataView(head.buffer, head.byteOffset).getUint32(0)
    const type = readAscii(head, 4, 4)
    if (keptChunks.has(type)) {
      yield head
      yield* pass(source, length + 4)
    } else if (type === 'eXIf' && length <= 0x10000) {
      const kept = keepOrientation(await source.take(length))
      await skip(source, 4)
      if (kept !== null) yield chunk([...head.subarray(4)], kept)
    } else await skip(source, length + 4)
    if (type === 'IEND') return
  }
}

function chunk(type: readonly number[], data: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set([...type, ...data], 4)
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}

/** ISO 3309, as PNG has it; bit by bit, for a few bytes. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
