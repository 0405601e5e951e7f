import type { Picture } from '../picture.ts'
import { type PngChunks, readPngChunks } from './read-png-header.ts'
import pngModule from './codecs/png.wasm'
import { type TakeTurn, withCodec } from './codecs/with-codec.ts'

/** Downscales to the means of blocks, weighted by opacity, while pixels arrive in any order. */
interface PixelBins {
  /** Adds `count` RGBA pixels of row `y`: the first at column `x`, the others `dx` columns apart. */
  add(rgba: Uint8Array, count: number, x: number, y: number, dx: number): void
  finish(): Picture
}

function createPixelBins(fullWidth: number, fullHeight: number, edge: number): PixelBins {
  const factor = Math.max(1, Math.ceil(Math.max(fullWidth, fullHeight) / edge))
  const width = Math.ceil(fullWidth / factor)
  const height = Math.ceil(fullHeight / factor)
  const sums = new Float32Array(width * height * 4)
  return {
    add: (rgba, count, x, y, dx) => {
      const line = Math.floor(y / factor) * width
      for (let pixel = 0, from = 0; pixel < count; pixel++, from += 4) {
        const at = (line + Math.floor((x + pixel * dx) / factor)) * 4
        const opacity = rgba[from + 3]!
        sums[at] = sums[at]! + rgba[from]! * opacity
        sums[at + 1] = sums[at + 1]! + rgba[from + 1]! * opacity
        sums[at + 2] = sums[at + 2]! + rgba[from + 2]! * opacity
        sums[at + 3] = sums[at + 3]! + opacity
      }
    },
    finish: () => {
      const data = new Uint8ClampedArray(width * height * 4)
      for (let y = 0, at = 0; y < height; y++) {
        for (let x = 0; x < width; x++, at += 4) {
          const pixels = Math.min(factor, fullWidth - x * factor) * Math.min(factor, fullHeight - y * factor)
          const opacity = sums[at + 3]!
          for (let channel = at; channel < at + 3; channel++)
            data[channel] = opacity > 0 ? sums[channel]! / opacity : 255
          data[at + 3] = opacity / pixels
        }
      }
      return { width, height, data }
    },
  }
}

/** Adam7 interlacing (PNG, 8.2): the first pixel of each pass, and the distances between its pixels. */
export const interlacedPasses = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
] as const

export const wholePicture = [{ x: 0, y: 0, dx: 1, dy: 1 }] as const

function unpackRow(chunks: PngChunks, row: Uint8Array, count: number, rgba: Uint8Array) {
  const { depth, samples, isGrey, palette, transparency } = chunks
  if (depth === 8 && samples === 4) {
    rgba.set(row.subarray(0, count * 4))
    return
  }
  // 16-bit samples lose their low byte. Samples of 1, 2 or 4 bits are scaled to 0 to 255.
  const bytesEach = depth === 16 ? 2 : 1
  const spread = palette === undefined && depth < 8 ? 255 / ((1 << depth) - 1) : 1
  const sample = (index: number) => {
    if (depth >= 8) return row[index * bytesEach]!
    const bit = index * depth
    return (row[bit >> 3]! >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  }
  const clear =
    palette === undefined && transparency !== undefined ? clearColour(transparency, depth, samples) : undefined
  for (let pixel = 0, out = 0; pixel < count; pixel++, out += 4) {
    const first = sample(pixel * samples)
    if (palette !== undefined) {
      rgba[out] = palette[first * 3] ?? 0
      rgba[out + 1] = palette[first * 3 + 1] ?? 0
      rgba[out + 2] = palette[first * 3 + 2] ?? 0
      rgba[out + 3] = transparency?.[first] ?? 255
      continue
    }
    rgba[out] = first * spread
    rgba[out + 1] = isGrey ? first * spread : sample(pixel * samples + 1)
    rgba[out + 2] = isGrey ? first * spread : sample(pixel * samples + 2)
    rgba[out + 3] = samples === 2 || samples === 4 ? sample(pixel * samples + samples - 1) : 255
    if (clear !== undefined && clear.every((value, index) => value === sample(pixel * samples + index)))
      rgba[out + 3] = 0
  }
}

/** Returns the transparent colour in the form of `sample`. `tRNS` stores 16 bits at any depth. */
function clearColour(transparency: Uint8Array, depth: number, samples: number): number[] {
  return Array.from({ length: samples }, (_, index) =>
    depth === 16 ? (transparency[index * 2] ?? 0) : (transparency[index * 2 + 1] ?? 0),
  )
}

/** Exports of `png.c`. `read_row` returns an address in the codec's memory, or 0 if it must be called again. */
interface PngCodec {
  begin_pass(bytesPerRow: number, bytesPerPixel: number): void
  read_row(): number
}

/** Pixels decoded per turn, about 0.05 s. */
const pixelsPerTurn = 1_000_000

/**
 * Decodes a PNG row by row, downscaled by a whole number to at most `edge` pixels, because 12 megapixels would take 50
 * MB. Decompresses only as many bytes as the header's size requires. Ignores checksums. Throws `PictureError`.
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
