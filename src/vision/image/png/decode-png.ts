import type { Picture } from '../../picture.ts'
import pngModule from '../codecs/png.wasm'
import { withCodec } from '../codecs/with-codec.ts'
import { createPixelBins } from '../pixel-bins.ts'
import type { TakeTurn } from '../turn.ts'
import { interlacedPasses, wholePicture } from './png-passes.ts'
import { unpackRow } from './png-pixels.ts'
import { type PngChunks, readPngChunks } from './read-png-chunks.ts'

/**
 * The functions of `png.c`; `read_row` returns an address in the codec's memory, and 0 where it has to be called again.
 */
interface PngCodec {
  begin_pass(bytesPerRow: number, bytesPerPixel: number): void
  read_row(): number
}

/** These take about 0.05 s. */
const pixelsPerTurn = 1_000_000

/**
 * Decodes a PNG of any colour type, depth and interlacing, row by row, and shrinks it on the way by a whole number
 * until it is no larger than `edge`: at full size, 12 megapixels would take 50 MB. Only as many bytes are decompressed
 * as the header's size asks for. Checksums are ignored. Throws `PictureError` if it cannot be decoded.
 */
export async function decodePng(bytes: Uint8Array, edge: number): Promise<Picture> {
  const chunks = readPngChunks(bytes)
  return await withCodec(
    pngModule,
    'PNG',
    chunks.data,
    async (codec: PngCodec, memory, takeTurn) => await decodeRows(codec, memory, takeTurn, chunks, edge),
  )
}

async function decodeRows(
  codec: PngCodec,
  memory: WebAssembly.Memory,
  takeTurn: TakeTurn,
  chunks: PngChunks,
  edge: number,
): Promise<Picture> {
  const bins = createPixelBins(chunks.width, chunks.height, edge)
  const bitsPerPixel = chunks.depth * chunks.samples
  const rgba = new Uint8Array(chunks.width * 4)
  for (const { x, y, dx, dy } of chunks.isInterlaced ? interlacedPasses : wholePicture) {
    const count = Math.ceil((chunks.width - x) / dx)
    if (count <= 0) continue
    const length = Math.ceil((count * bitsPerPixel) / 8)
    codec.begin_pass(length, Math.max(1, bitsPerPixel >> 3))
    for (let line = y; line < chunks.height; line += dy) {
      let row = codec.read_row()
      while (row === 0) {
        await takeTurn(0)
        row = codec.read_row()
      }
      unpackRow(chunks, new Uint8Array(memory.buffer, row, length), count, rgba)
      bins.add(rgba, count, x, line, dx)
      await takeTurn(count / pixelsPerTurn)
    }
  }
  return bins.finish()
}
