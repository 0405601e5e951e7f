import type { Picture } from '../../picture.ts'
import { AAN, forwardDct } from './forward-dct.ts'
import { type BitWriter, createBitWriter } from './jpeg-bits.ts'
import {
  AC_CHROMINANCE,
  AC_LUMINANCE,
  DC_CHROMINANCE,
  DC_LUMINANCE,
  type HuffmanTable,
  huffmanCodes,
  quantisation,
  ZIGZAG,
} from './jpeg-tables.ts'

const ORDER = Uint8Array.from(ZIGZAG)

const CODES = [
  { dc: huffmanCodes(DC_LUMINANCE), ac: huffmanCodes(AC_LUMINANCE) },
  { dc: huffmanCodes(DC_CHROMINANCE), ac: huffmanCodes(AC_CHROMINANCE) },
] as const

/**
 * Encodes a baseline JPEG (ITU-T T.81) with chroma at half resolution and the standard Huffman tables; alpha is ignored.
 * An encoder of our own, because the WASM encoders take three times as long for files that are hardly smaller.
 * @param quality 1 to 100
 */
export function encodeJpeg(picture: Picture, quality = 82): Uint8Array {
  const tables = quantisation(quality)
  const writer = createBitWriter((picture.width * picture.height) / 2 + 1024)
  writeHeader(writer, picture, tables)
  const divisors = tables.map(toDivisors) as [Float32Array, Float32Array]
  const luma = [0, 1, 2, 3].map(() => new Float32Array(64))
  const blue = new Float32Array(64)
  const red = new Float32Array(64)
  const previous = [0, 0, 0]
  for (let y = 0; y < picture.height; y += 16) {
    for (let x = 0; x < picture.width; x += 16) {
      readUnit(picture, x, y, luma, blue, red)
      for (const block of luma) previous[0] = writeBlock(writer, block, divisors[0], CODES[0], previous[0]!)
      previous[1] = writeBlock(writer, blue, divisors[1], CODES[1], previous[1]!)
      previous[2] = writeBlock(writer, red, divisors[1], CODES[1], previous[2]!)
    }
  }
  writer.align()
  writer.bytes([0xff, 0xd9])
  return writer.finish()
}

/** Reads 16 x 16 pixels into four luma blocks and one block of each chroma; pixels beyond the edge repeat the last one. */
function readUnit(
  { data, width, height }: Picture,
  left: number,
  top: number,
  luma: readonly Float32Array[],
  blue: Float32Array,
  red: Float32Array,
) {
  blue.fill(0)
  red.fill(0)
  const columns = Math.min(16, width - left)
  for (let row = 0; row < 16; row++) {
    const line = (Math.min(height - 1, top + row) * width + left) * 4
    const upper = (row & 8) >> 2
    const place = (row & 7) << 3
    const chromaRow = (row >> 1) << 3
    for (let column = 0; column < 16; column++) {
      const at = line + (column < columns ? column : columns - 1) * 4
      const r = data[at]!
      const g = data[at + 1]!
      const b = data[at + 2]!
      const y = 0.299 * r + 0.587 * g + 0.114 * b
      luma[upper | (column >> 3)]![place | (column & 7)] = y - 128
      // Cb and Cr are scaled differences from luma; a quarter of each, because four pixels share one sample.
      const chroma = chromaRow | (column >> 1)
      blue[chroma] = blue[chroma]! + (b - y) * 0.1410835
      red[chroma] = red[chroma]! + (r - y) * 0.1783167
    }
  }
}

/** Transforms, quantises and writes one block; returns its DC level, because the next block stores the difference to it. */
function writeBlock(
  writer: BitWriter,
  block: Float32Array,
  divisors: Float32Array,
  codes: (typeof CODES)[number],
  previousDc: number,
) {
  forwardDct(block)
  const dc = Math.round(block[0]! * divisors[0]!)
  writeLevel(writer, codes.dc, 0, dc - previousDc)
  let zeros = 0
  for (let index = 1; index < 64; index++) {
    const place = ORDER[index]!
    const scaled = block[place]! * divisors[place]!
    // The interval that `Math.round` rounds to zero; zeros are counted instead of written.
    if (scaled >= -0.5 && scaled < 0.5) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16) writer.bits(codes.ac[0xf0]! >> 5, codes.ac[0xf0]! & 31)
    writeLevel(writer, codes.ac, zeros << 4, Math.round(scaled))
    zeros = 0
  }
  if (zeros > 0) writer.bits(codes.ac[0]! >> 5, codes.ac[0]! & 31)
  return dc
}

/** Writes a level's number of bits as a Huffman symbol, then the bits; those of a negative level are inverted. */
function writeLevel(writer: BitWriter, codes: Uint32Array, run: number, level: number) {
  const size = 32 - Math.clz32(Math.abs(level))
  const code = codes[run | size]!
  writer.bits(code >> 5, code & 31)
  if (size > 0) writer.bits(level < 0 ? level + (1 << size) - 1 : level, size)
}

function toDivisors(table: number[]): Float32Array {
  return Float32Array.from(table, (value, place) => 1 / (value * AAN[place >> 3]! * AAN[place & 7]! * 8))
}

function writeHeader(writer: BitWriter, { width, height }: Picture, tables: readonly number[][]) {
  const word = (value: number) => [value >> 8, value & 255]
  writer.bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
  tables.forEach((table, index) => writer.bytes([0xff, 0xdb, 0, 67, index, ...ZIGZAG.map((place) => table[place]!)]))
  writer.bytes([0xff, 0xc0, 0, 17, 8, ...word(height), ...word(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  const huffman = (id: number, { counts, symbols }: HuffmanTable) =>
    writer.bytes([0xff, 0xc4, ...word(19 + symbols.length), id, ...counts, ...symbols])
  huffman(0x00, DC_LUMINANCE)
  huffman(0x10, AC_LUMINANCE)
  huffman(0x01, DC_CHROMINANCE)
  huffman(0x11, AC_CHROMINANCE)
  writer.bytes([0xff, 0xda, 0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])
}
