import type { Picture } from '../../picture.ts'
import pngModule from '../codecs/png.wasm'
import { withCodec } from '../codecs/with-codec.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { createPixelBins } from '../pixel-bins.ts'
import { interlacedPasses, wholePicture } from './png-passes.ts'
import { unpackRow } from './png-pixels.ts'
import { type PngChunks, readPngChunks } from './read-png-chunks.ts'

/** The functions of `png.c`; `read_row` returns an address in the codec's memory. */
interface PngCodec {
  begin_pass(bytesPerRow: number, bytesPerPixel: number): void
  read_row(): number
}

/** Other requests of the isolate get a turn after this many pixels, which take about 0.05 s. */
const pixelsPerTurn = 1_000_000

/**
 * Decodes a PNG of any colour type, depth and interlacing, row by row, and shrinks it on the way by a whole number until
 * it is no larger than `edge`: at full size, 12 megapixels would take 50 MB. Only as many bytes are decompressed as the
 * header's size asks for. Checksums are ignored. Throws `PictureError` if it cannot be decoded.
 */
export async function decodePng(bytes: Uint8Array, edge: number): Promise<Picture> {
  const chunks = readPngChunks(bytes)
  return await withCodec(
    pngModule,
    'PNG',
    chunks.data,
    async (codec: PngCodec, memory) => await decodeRows(codec, memory, chunks, edge),
  )
}

async function decodeRows(
  codec: PngCodec,
  memory: WebAssembly.Memory,
  chunks: PngChunks,
  edge: number,
): Promise<Picture> {
  const bins = createPixelBins(chunks.width, chunks.height, edge)
  const bitsPerPixel = chunks.depth * chunks.samples
  const rgba = new Uint8Array(chunks.width * 4)
  let pixels = 0
  for (const { x, y, dx, dy } of chunks.isInterlaced ? interlacedPasses : wholePicture) {
    const count = Math.ceil((chunks.width - x) / dx)
    if (count <= 0) continue
    const length = Math.ceil((count * bitsPerPixel) / 8)
    codec.begin_pass(length, Math.max(1, bitsPerPixel >> 3))
    for (let line = y; line < chunks.height; line += dy) {
      unpackRow(chunks, new Uint8Array(memory.buffer, codec.read_row(), length), count, rgba)
      bins.add(rgba, count, x, line, dx)
      pixels += count
      if (pixels < pixelsPerTurn) continue
      pixels = 0
      await yieldToEventLoop()
    }
  }
  return bins.finish()
}
