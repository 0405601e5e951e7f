import type { Picture } from '../picture.ts'
import jpegModule from './codecs/jpeg.wasm'
import { damaged, type TakeTurn, withCodec } from './codecs/with-codec.ts'
import { isSkipped, type JpegHeader, maxSegments, readJpegHeader } from './read-jpeg-header.ts'
import { type ByteSource, pass, skip } from './read-bytes.ts'
import { keepOrientation } from './orientation.ts'
import type { PictureFormat } from './picture-format.ts'
import { shrink } from './shrink.ts'

/** Exports of `jpeg.c`. `open` and `start` return addresses in the codec's memory. */
interface JpegCodec {
  open(): number
  start(eighths: number): number
  read_scan_row(): number
  read_row(): number
}

/** The decoder scales by eighths in the inverse DCT, which saves time and memory. */
const scaleEighths = [1, 2, 3, 4, 5, 6, 7, 8]

/** Full-size pixels decoded per turn, about 0.05 s. */
const pixelsPerTurn = 4_000_000

/** Height in pixels of a row of blocks. Subsampling doubles it. */
const mcuHeight = 8

/**
 * Decodes a JPEG at the smallest scale in eighths whose longest edge is at least `edge` pixels. Supports baseline and
 * progressive files in grey, YCbCr, RGB, CMYK and YCCK. Throws `PictureError`, also if the decoder disagrees with
 * `header`.
 */
export async function decodeJpeg(bytes: Uint8Array, header: JpegHeader, edge: number): Promise<Picture> {
  return await withCodec(
    jpegModule,
    'JPEG',
    [bytes],
    async (codec: JpegCodec, memory, takeTurn) => await decode(codec, memory, takeTurn, header, edge),
  )
}

async function decode(
  codec: JpegCodec,
  memory: WebAssembly.Memory,
  takeTurn: TakeTurn,
  header: JpegHeader,
  edge: number,
): Promise<Picture> {
  const info = codec.open()
  const [fullWidth, fullHeight, components, isCmyk] = new Int32Array(memory.buffer, info, 4)
  if (fullWidth !== header.width || fullHeight !== header.height || components !== header.components)
    throw damaged('JPEG')
  const longest = Math.max(header.width, header.height)
  const row = codec.start(scaleEighths.find((part) => (longest * part) / 8 >= edge) ?? 8)
  const [width = 0, height = 0] = new Int32Array(memory.buffer, info, 2)
  while (codec.read_scan_row() > 0) await takeTurn((header.width * mcuHeight) / pixelsPerTurn)
  const data = new Uint8ClampedArray(width * height * 4)
  const sharePerRow = (header.width * header.height) / height / pixelsPerTurn
  for (let at = 0; codec.read_row() > 0; at += width * 4) {
    data.set(new Uint8Array(memory.buffer, row, width * 4), at)
    await takeTurn(sharePerRow)
  }
  if (isCmyk === 1) convertCmyk(data)
  return { width, height, data }
}

/** Converts CMYK to RGBA in place. Nearly every CMYK JPEG is inverted: 255 means no ink. */
function convertCmyk(data: Uint8ClampedArray) {
  for (let i = 0; i < data.length; i += 4) {
    const key = data[i + 3]! / 255
    for (let channel = i; channel < i + 3; channel++) data[channel] = data[channel]! * key
    data[i + 3] = 255
  }
}

const [startOfImage, startOfScan, endOfImage, exif, comment] = [0xd8, 0xda, 0xd9, 0xe1, 0xfe]

/** Segments that show the picture: JFIF, colour profile and Adobe's transform. Others may hold personal data. */
const keptApplications = new Set([0xe0, 0xe2, 0xee])

const isErased = (marker: number) =>
  marker === comment || (marker >= 0xe0 && marker <= 0xef && !keptApplications.has(marker))

/** Yields a JPEG without metadata except the orientation, and without data after its end, such as a phone's video. */
export async function* eraseJpeg(source: ByteSource): AsyncGenerator<Uint8Array> {
  const start = await source.take(2)
  if (start[0] !== 0xff || start[1] !== startOfImage) return
  yield start
  for (let count = 0; count <= maxSegments; count++) {
    const marker = await takeMarker(source)
    if (marker === undefined) return
    if (marker === endOfImage) {
      yield Uint8Array.of(0xff, endOfImage)
      return
    }
    const [high, low] = await source.take(2)
    if (high === undefined || low === undefined) return
    const length = ((high << 8) | low) - 2
    if (length < 0) return
    if (marker === exif) {
      const orientation = keepOrientation(await source.take(length))
      if (orientation !== null) yield Uint8Array.of(0xff, exif, 0, orientation.length + 2, ...orientation)
    } else if (isErased(marker)) await skip(source, length)
    else {
      yield Uint8Array.of(0xff, marker, high, low)
      yield* pass(source, length)
      if (marker === startOfScan) yield* passScan(source)
    }
  }
}

/** Returns the next marker that has a length or ends the picture, or undefined. Skips the same bytes as libjpeg. */
async function takeMarker(source: ByteSource): Promise<number | undefined> {
  // Scans whole pieces, because reading millions of bytes one by one takes seconds.
  let isAfterFf = false
  for (;;) {
    const piece = await source.some(Infinity)
    if (piece.length === 0) return undefined
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!
      if (byte === 0xff) isAfterFf = true
      else if (!isAfterFf || isSkipped(byte)) isAfterFf = false
      else {
        source.unread(piece.subarray(at + 1))
        return byte
      }
    }
  }
}

const isScanData = (byte: number) => byte === 0 || (byte >= 0xd0 && byte <= 0xd7)

async function* passScan(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = await source.some(Infinity)
    if (piece.length === 0) return
    const end = scanEnd(piece)
    if (end === undefined) yield piece
    else if (end < piece.length - 1) {
      yield piece.subarray(0, end)
      source.unread(piece.subarray(end))
      return
    } else {
      yield piece.subarray(0, end)
      const next = await source.take(1)
      if (next.length === 0) return
      source.unread(Uint8Array.of(0xff, ...next))
    }
  }
}

/** Returns the position of the marker that ends the coded pixels, or of a trailing FF byte. */
function scanEnd(piece: Uint8Array): number | undefined {
  for (let at = piece.indexOf(0xff); at !== -1; at = piece.indexOf(0xff, at)) {
    const next = piece[at + 1]
    if (next === undefined) return at
    if (isScanData(next)) at += 2
    else if (next === 0xff) at += 1
    else return at
  }
  return undefined
}

/** Phones take up to 50 megapixels. For a baseline JPEG, libjpeg holds only a few downscaled rows. */
const maxBaselinePixels = 50_000_000

/** A limit on CPU time: each scan of a progressive JPEG visits all pixels. */
const maxProgressivePixels = 12_500_000

/** A limit on memory: libjpeg holds all coefficients of a progressive JPEG until the last scan. */
const maxCoefficientBytes = 40_000_000

export const jpegFormat: PictureFormat = {
  name: 'JPEG',
  contentType: 'image/jpeg',
  matches: (start) => start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff,
  open: (bytes) => {
    const header = readJpegHeader(bytes)
    const { width, height, orientation, profile, coefficientBytes } = header
    return {
      width,
      height,
      orientation,
      ...(coefficientBytes > 0
        ? {
            kind: 'progressive JPEG',
            maxPixels: Math.min(maxProgressivePixels, (width * height * maxCoefficientBytes) / coefficientBytes),
          }
        : { kind: 'JPEG', maxPixels: maxBaselinePixels }),
      extractProfile: () => Promise.resolve(profile),
      // Up to 30 % smaller than requested, if the decoder's own scale comes close enough.
      decode: async (edge) => shrink(await decodeJpeg(bytes, header, Math.round(edge * 0.7)), edge),
    }
  },
  erase: eraseJpeg,
}
