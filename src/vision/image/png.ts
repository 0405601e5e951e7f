import { type ByteSource, hasAscii, pass, readAscii, skip } from './read-bytes.ts'
import { keepOrientation } from './orientation.ts'
import { maxChunks, readPngHeader } from './read-png-header.ts'
import { maxProfileBytes } from './colour-profile.ts'
import type { PictureFormat } from './picture-format.ts'
import { decodePng } from './decode-png.ts'

/** Chunks that show the picture. Other chunks, such as texts, may hold personal data. */
const keptChunks = new Set('IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP bKGD pHYs acTL fcTL fdAT'.split(' '))

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
      const orientation = keepOrientation(await source.take(length))
      await skip(source, 4)
      if (orientation !== null) yield chunk([...head.subarray(4)], orientation)
    } else await skip(source, length + 4)
    if (type === 'IEND') return
  }
}

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

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 255]!
  return ~crc >>> 0
}

/** Compressed bytes per step, each of which may inflate to a thousand. */
const pieceBytes = 256

/** A profile name of at most 79 bytes and a zero byte. The compression method follows. */
const maxNameBytes = 80

/** Inflates the ICC profile of `iCCP` (PNG, 11.3.2.3). Returns an empty array for damaged or too long profiles. */
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

/** Limits CPU time: 16 bits with alpha are 100 MB to decompress. */
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
