import { PictureError } from '../../picture-error.ts'
import type { Picture } from '../../picture.ts'
import { createPixelBins } from '../pixel-bins.ts'
import { unpackRow } from './png-pixels.ts'
import { PASSES, unfilter, WHOLE } from './png-rows.ts'
import { type PngChunks, readPngChunks } from './read-png-chunks.ts'

/**
 * Decodes a PNG of any colour type, depth and interlacing, row by row, and shrinks it on the way by a whole number until
 * it is no larger than `edge`: a picture of 12 megapixels takes 50 MB at full size, and the decoders at hand hold it twice.
 * Throws `PictureError` where it cannot be decoded. Checksums are not looked at: a wrong one spoils no pixel.
 */
export async function decodePng(bytes: Uint8Array, edge: number): Promise<Picture> {
  const chunks = readPngChunks(bytes)
  try {
    return await decodeRows(chunks, edge)
  } catch (error) {
    if (error instanceof PictureError) throw error
    throw new PictureError('The PNG image is damaged and cannot be decoded.')
  }
}

async function decodeRows(chunks: PngChunks, edge: number): Promise<Picture> {
  const bins = createPixelBins(chunks.width, chunks.height, edge)
  const bitsEach = chunks.depth * chunks.samples
  const rgba = new Uint8Array(chunks.width * 4)
  const read = createReader(chunks.data)
  for (const { x, y, dx, dy } of chunks.isInterlaced ? PASSES : WHOLE) {
    const count = Math.ceil((chunks.width - x) / dx)
    if (count <= 0) continue
    let row = new Uint8Array(Math.ceil((count * bitsEach) / 8))
    let above = new Uint8Array(row.length)
    for (let line = y; line < chunks.height; line += dy) {
      const filter = await read(row)
      if (!unfilter(filter, row, above, Math.max(1, bitsEach >> 3)))
        throw new PictureError('The PNG image is damaged and cannot be decoded.')
      unpackRow(chunks, row, count, rgba)
      bins.add(rgba, count, x, line, dx)
      ;[row, above] = [above, row]
    }
  }
  await read.close()
  return bins.finish()
}

/** Gives a row's bytes after its filter byte. No more is decompressed than the header's size asks for. */
function createReader(pieces: readonly Uint8Array[]) {
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  const reader = source
    .pipeThrough(new DecompressionStream('deflate') as unknown as TransformStream<Uint8Array, Uint8Array>)
    .getReader()
  let held: Uint8Array = new Uint8Array(0)
  const fill = async () => {
    const { done, value } = await reader.read()
    if (done) throw new PictureError('The PNG image is cut off before its end.')
    held = value
  }
  const read = async (row: Uint8Array): Promise<number> => {
    while (held.length === 0) await fill()
    const filter = held[0]!
    held = held.subarray(1)
    for (let filled = 0; filled < row.length;) {
      while (held.length === 0) await fill()
      const part = held.subarray(0, row.length - filled)
      row.set(part, filled)
      filled += part.length
      held = held.subarray(part.length)
    }
    return filter
  }
  return Object.assign(read, { close: async () => await reader.cancel().catch(() => undefined) })
}
