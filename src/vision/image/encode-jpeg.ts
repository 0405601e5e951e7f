import type { Picture } from '../picture.ts'

/**
 * Computes the forward DCT of Arai, Agui and Nakajima (1988) in place on 64 samples. Coefficients are scaled by
 * `aan[row] * aan[column] * 8`, which the quantiser divides out.
 */
function forwardDct(samples: Float32Array, at: number) {
  for (let row = 0; row < 64; row += 8) pass(samples, at + row, 1)
  for (let column = 0; column < 8; column++) pass(samples, at + column, 8)
}

const aan = [1, 1.387039845, 1.306562965, 1.175875602, 1, 0.785694958, 0.5411961, 0.275899379]

function pass(block: Float32Array, at: number, step: number) {
  const s0 = block[at]!
  const s1 = block[at + step]!
  const s2 = block[at + 2 * step]!
  const s3 = block[at + 3 * step]!
  const s4 = block[at + 4 * step]!
  const s5 = block[at + 5 * step]!
  const s6 = block[at + 6 * step]!
  const s7 = block[at + 7 * step]!
  const d0 = s0 - s7
  const d1 = s1 - s6
  const d2 = s2 - s5
  const d3 = s3 - s4
  const e0 = s0 + s7 + (s3 + s4)
  const e3 = s0 + s7 - (s3 + s4)
  const e1 = s1 + s6 + (s2 + s5)
  const e2 = s1 + s6 - (s2 + s5)
  block[at] = e0 + e1
  block[at + 4 * step] = e0 - e1
  const z1 = (e2 + e3) * 0.707106781
  block[at + 2 * step] = e3 + z1
  block[at + 6 * step] = e3 - z1
  const o0 = d3 + d2
  const o1 = d2 + d1
  const o2 = d1 + d0
  const z5 = (o0 - o2) * 0.382683433
  const z2 = 0.5411961 * o0 + z5
  const z4 = 1.306562965 * o2 + z5
  const z3 = o1 * 0.707106781
  block[at + 5 * step] = d0 - z3 + z2
  block[at + 3 * step] = d0 - z3 - z2
  block[at + step] = d0 + z3 + z4
  block[at + 7 * step] = d0 + z3 - z4
}

type BitWriter = ReturnType<typeof createBitWriter>

/** Creates a growing buffer for bits, most significant first. Inserts a zero byte after each FF (T.81, F.1.2.3). */
export function createBitWriter(capacity: number) {
  let buffer = new Uint8Array(capacity)
  let size = 0
  let pending = 0
  let pendingBits = 0
  const grow = () => {
    const larger = new Uint8Array(buffer.length * 2 + 64)
    larger.set(buffer)
    buffer = larger
  }
  const bits = (value: number, length: number) => {
    pending = (pending << length) | value
    pendingBits += length
    if (size + 8 > buffer.length) grow()
    while (pendingBits >= 8) {
      pendingBits -= 8
      const byte = (pending >>> pendingBits) & 0xff
      buffer[size++] = byte
      if (byte === 0xff) buffer[size++] = 0
    }
    pending &= (1 << pendingBits) - 1
  }
  return {
    bits,
    bytes: (values: readonly number[]) => {
      while (size + values.length > buffer.length) grow()
      buffer.set(values, size)
      size += values.length
    },
    align: () => {
      if (pendingBits > 0) bits((1 << (8 - pendingBits)) - 1, 8 - pendingBits)
    },
    finish: () => buffer.slice(0, size),
  }
}

/** Zigzag order of coefficients (ITU-T T.81, figure A.6). The tables below are from annex K. */
const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
  35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
  55, 62, 63,
]

const luminance = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
  87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101,
  72, 92, 95, 98, 112, 100, 103, 99,
]

const chrominance = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99,
]

/** Returns the tables for luminance and chrominance. `quality` is 1 to 100, scaled as in libjpeg. */
function quantisation(quality: number): readonly [number[], number[]] {
  const scale = quality < 50 ? 5000 / quality : 200 - quality * 2
  const at = (table: number[]) =>
    table.map((value) => Math.min(255, Math.max(1, Math.floor((value * scale + 50) / 100))))
  return [at(luminance), at(chrominance)]
}

/** Number of codes of each length 1 to 16, and the symbols in code order. */
interface HuffmanTable {
  readonly counts: readonly number[]
  readonly symbols: readonly number[]
}

const dcSymbols = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]

export const dcLuminance = { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], symbols: dcSymbols }
const dcChrominance = { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], symbols: dcSymbols }
export const acLuminance = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
  symbols: fromHex(
    '01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445' +
      '464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5' +
      'b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  ),
}
const acChrominance = {
  counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
  symbols: fromHex(
    '0001020311040521310612415107617113223281081442' +
      '91a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a' +
      '737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7' +
      'd8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
  ),
}

/** Returns the code of each symbol as `code << 5 | length` (T.81, annex C). */
export function huffmanCodes({ counts, symbols }: HuffmanTable): Uint32Array {
  const codes = new Uint32Array(256)
  let code = 0
  let next = 0
  counts.forEach((count, index) => {
    for (let i = 0; i < count; i++) codes[symbols[next++]!] = (code++ << 5) | (index + 1)
    code <<= 1
  })
  return codes
}

function fromHex(text: string): number[] {
  return (text.match(/../g) ?? []).map((pair) => parseInt(pair, 16))
}

const order = Uint8Array.from(zigzag)

const codeTables = [
  { dc: huffmanCodes(dcLuminance), ac: huffmanCodes(acLuminance) },
  { dc: huffmanCodes(dcChrominance), ac: huffmanCodes(acChrominance) },
] as const

/** A unit of 16 x 16 pixels has four luma blocks, then one block per chroma channel. */
const blueAt = 4 * 64
const redAt = 5 * 64
const unitSize = 6 * 64

/** Encodes a baseline JPEG (ITU-T T.81) with halved chroma. WASM encoders take three times as long. */
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
      unit[blueAt + chroma + (column >> 1)] = (blue - sum) * 0.1410835
      unit[redAt + chroma + (column >> 1)] = (red - sum) * 0.1783167
    }
  }
}

/** Transforms, quantises and writes a block. Returns its DC level for the next block. */
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
    // These values round to zero. Zeros are counted instead of written.
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

/** Writes a level's bit count as a Huffman symbol, then its bits, inverted for negative levels. */
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
