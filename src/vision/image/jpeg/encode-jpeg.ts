import type { Picture } from '../../picture.ts'
import { aan, forwardDct } from './forward-dct.ts'
import { type BitWriter, createBitWriter } from './jpeg-bits.ts'
import {
  acChrominance,
  acLuminance,
  dcChrominance,
  dcLuminance,
  type HuffmanTable,
  huffmanCodes,
  quantisation,
  zigzag,
} from './jpeg-tables.ts'

const order = Uint8Array.from(zigzag)

const codeTables = [
  { dc: huffmanCodes(dcLuminance), ac: huffmanCodes(acLuminance) },
  { dc: huffmanCodes(dcChrominance), ac: huffmanCodes(acChrominance) },
] as const

/** 16 x 16 pixels: four blocks of luma, then one of each chroma. */
const blueAt = 4 * 64
const redAt = 5 * 64
const unitSize = 6 * 64

/**
 * Encodes a baseline JPEG (ITU-T T.81) with chroma at half resolution and the standard Huffman tables; alpha is
 * ignored. An encoder of our own, because the WASM encoders take three times as long for files that are hardly smaller.
 * @param quality 1 to 100
 */
export function encodeJpeg(picture: Picture, quality = 82): Uint8Array {
  const tables = quantisation(quality)
  const writer = createBitWriter((picture.width * picture.height) / 2 + 1024)
  writeHeader(writer, picture, tables)
  const divisors = tables.map(toDivisors) as [Float32Array, Float32Array]
  const unit = new Float32Array(unitSize)
  const previous = [0, 0, 0]
  for (let y = 0; y < picture.height; y += 16) {
    for (let x = 0; x < picture.width; x += 16) {
      readUnit(picture, x, y, unit)
      for (let at = 0; at < blueAt; at += 64)
        previous[0] = writeBlock(writer, unit, at, divisors[0], codeTables[0], previous[0]!)
      previous[1] = writeBlock(writer, unit, blueAt, divisors[1], codeTables[1], previous[1]!)
      previous[2] = writeBlock(writer, unit, redAt, divisors[1], codeTables[1], previous[2]!)
    }
  }
  writer.align()
  writer.bytes([0xff, 0xd9])
  return writer.finish()
}

/**
 * Reads 16 x 16 pixels into four luma blocks and one block of each chroma; pixels beyond the edge repeat the last one.
 */
function readUnit({ data, width, height }: Picture, left: number, top: number, unit: Float32Array) {
  const lastColumn = Math.min(15, width - 1 - left) * 4
  for (let row = 0; row < 16; row += 2) {
    const upper = (Math.min(height - 1, top + row) * width + left) * 4
    const lower = (Math.min(height - 1, top + row + 1) * width + left) * 4
    const luma = ((row & 8) << 4) | ((row & 7) << 3)
    const chroma = row << 2
    for (let column = 0; column < 16; column += 2) {
      const first = Math.min(column * 4, lastColumn)
      const second = Math.min(column * 4 + 4, lastColumn)
      const to = luma | ((column & 8) << 3) | (column & 7)
      let red = 0
      let blue = 0
      let sum = 0
      for (let corner = 0; corner < 4; corner++) {
        const at = (corner < 2 ? upper : lower) + ((corner & 1) === 0 ? first : second)
        const r = data[at]!
        const b = data[at + 2]!
        const y = 0.299 * r + 0.587 * data[at + 1]! + 0.114 * b
        unit[to + ((corner & 2) << 2) + (corner & 1)] = y - 128
        red += r
        blue += b
        sum += y
      }
      // Cb and Cr are scaled differences from luma; a quarter of each, because four pixels share one sample.
      unit[blueAt + chroma + (column >> 1)] = (blue - sum) * 0.1410835
      unit[redAt + chroma + (column >> 1)] = (red - sum) * 0.1783167
    }
  }
}

/**
 * Transforms, quantises and writes one block; returns its DC level, because the next block stores the difference to it.
 */
function writeBlock(
  writer: BitWriter,
  unit: Float32Array,
  from: number,
  divisors: Float32Array,
  codes: (typeof codeTables)[number],
  previousDc: number,
) {
  forwardDct(unit, from)
  const dc = Math.round(unit[from]! * divisors[0]!)
  writeLevel(writer, codes.dc, 0, dc - previousDc)
  let zeros = 0
  for (let index = 1; index < 64; index++) {
    const place = order[index]!
    const scaled = unit[from + place]! * divisors[place]!
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
  return Float32Array.from(table, (value, place) => 1 / (value * aan[place >> 3]! * aan[place & 7]! * 8))
}

function writeHeader(writer: BitWriter, { width, height }: Picture, tables: readonly number[][]) {
  const word = (value: number) => [value >> 8, value & 255]
  writer.bytes([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
  tables.forEach((table, index) => writer.bytes([0xff, 0xdb, 0, 67, index, ...zigzag.map((place) => table[place]!)]))
  writer.bytes([0xff, 0xc0, 0, 17, 8, ...word(height), ...word(width), 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  const huffman = (id: number, { counts, symbols }: HuffmanTable) =>
    writer.bytes([0xff, 0xc4, ...word(19 + symbols.length), id, ...counts, ...symbols])
  huffman(0x00, dcLuminance)
  huffman(0x10, acLuminance)
  huffman(0x01, dcChrominance)
  huffman(0x11, acChrominance)
  writer.bytes([0xff, 0xda, 0, 12, 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0])
}
