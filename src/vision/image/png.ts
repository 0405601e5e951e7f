import { type ByteSource, hasAscii, pass, readAscii, skip } from './read-bytes.ts'
import { keepOrientation } from './orientation.ts'
import { maxChunks, readPngHeader } from './read-png-header.ts'
import { maxProfileBytes } from './colour-profile.ts'
import type { PictureFormat } from './picture-format.ts'
import { decodePng } from './decode-png.ts'

/** What shows the picture. Every other chunk, such as a text, may say who, when or where. */
const keptChunks = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '))

/** A PNG without its metadata but for the orientation, and without what follows its end. */
async function* erasePng(source: ByteSource): AsyncGenerator<Uint8Array> {
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

/** @param type the codes of its letters */
export function chunk(type: ArrayLike<number>, data: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(type, 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  return crc
})

/** ISO 3309, as PNG has it. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 255]!
  return ~crc >>> 0
}

/** Compressed bytes at a time, each of which may become a thousand. */
const pieceBytes = 256

/** The name before the profile has at most 79 bytes, and ends with a zero; another says how it is compressed. */
const maxNameBytes = 80

/**
 * The ICC profile in the body of `iCCP` (PNG specification, 11.3.2.3). Empty where it is damaged, or longer than those
 * that are read: no more of it is decompressed.
 */
async function inflateProfile(body: Uint8Array): Promise<Uint8Array> {
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

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** 16 bits with opacity are 100 MB to decompress. */
const maxPixels = 12_500_000

export const pngFormat: PictureFormat = {
  name: 'PNG',
  contentType: 'image/png',
  matches: (start) => signature.every((value, index) => start[index] === value),
  open: (bytes) => {
    const { width, height, orientation, profile } = readPngHeader(bytes)
    return {
      width,
      height,
      orientation,
      kind: 'PNG',
      maxPixels,
      extractProfile: async () => await inflateProfile(profile),
      decode: async (edge) => await decodePng(bytes, edge),
    }
  },
  erase: erasePng,
}
