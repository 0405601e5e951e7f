import type { Picture } from '../picture.ts'
import jpegModule from './codecs/jpeg.wasm'
import { damaged, type TakeTurn, withCodec } from './codecs/with-codec.ts'
import { isSkipped, type JpegHeader, maxSegments, readJpegHeader } from './read-jpeg-header.ts'
import { type ByteSource, pass, skip } from './read-bytes.ts'
import { keepOrientation } from './orientation.ts'
import type { PictureFormat } from './picture-format.ts'
import { shrink } from './shrink.ts'

/** The functions of `jpeg.c`; `open` and `start` return addresses in the codec's memory. */
interface JpegCodec {
  open(): number
  start(eighths: number): number
  read_scan_row(): number
  read_row(): number
}

/** The decoder scales by eighths inside the inverse DCT, so that fewer samples are computed and held. */
const scaleEighths = [1, 2, 3, 4, 5, 6, 7, 8]

/** Pixels at full size of one scan, which take about 0.05 s. */
const pixelsPerTurn = 4_000_000

/** The smallest height of a row of blocks; with subsampling it is twice that. */
const mcuHeight = 8

/**
 * Decodes a JPEG at the smallest scale in eighths whose longest edge is at least `edge` pixels, or else at full size.
 * Baseline and progressive, grey, YCbCr, RGB, CMYK and YCCK. Throws `PictureError` if it cannot be decoded, and if the
 * decoder reads another header than `header`, before anything is decoded.
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

/** Converts CMYK to RGBA in place. Adobe stores CMYK inverted (255 is no ink), and so does nearly every CMYK JPEG. */
function convertCmyk(data: Uint8ClampedArray) {
  for (let i = 0; i < data.length; i += 4) {
    const key = data[i + 3]! / 255
    for (let channel = i; channel < i + 3; channel++) data[channel] = data[channel]! * key
    data[i + 3] = 255
  }
}

const [startOfImage, startOfScan, endOfImage, exif, comment] = [0xd8, 0xda, 0xd9, 0xe1, 0xfe]

/**
 * JFIF, the colour profile, and Adobe's colour transform. Every other application segment may say who, when or where.
 */
const keptApplications = new Set([0xe0, 0xe2, 0xee])

const isErased = (marker: number) =>
  marker === comment || (marker >= 0xe0 && marker <= 0xef && !keptApplications.has(marker))

/**
 * A JPEG without its metadata but for the orientation. What follows its end, such as a phone's second picture or
 * film, is left out too. A file that is no JPEG, or has more segments than are read, ends where that shows.
 */
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
      const kept = keepOrientation(await source.take(length))
      if (kept !== null) yield Uint8Array.of(0xff, exif, 0, kept.length + 2, ...kept)
    } else if (isErased(marker)) await skip(source, length)
    else {
      yield Uint8Array.of(0xff, marker, high, low)
      yield* pass(source, length)
      if (marker === startOfScan) yield* passScan(source)
    }
  }
}

/** The byte of the next marker with a length or of the end, past what libjpeg skips; undefined where none is. */
async function takeMarker(source: ByteSource): Promise<number | undefined> {
  // Piece by piece, because byte by byte millions of skipped ones would take seconds.
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

/** Passes the coded pixels of a scan, up to the marker that ends them. */
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
      // The second byte of what may be a marker is in the next piece.
      yield piece.subarray(0, end)
      const next = await source.take(1)
      if (next.length === 0) return
      source.unread(Uint8Array.of(0xff, ...next))
    }
  }
}

/** Where the first marker begins that ends the coded pixels, or the last byte if that is FF. */
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

/** Phones take 48 and 50 megapixels. Of a baseline JPEG, libjpeg holds only some rows, scaled down. */
const maxBaselinePixels = 50_000_000

/** Each scan of a progressive JPEG visits all pixels. */
const maxProgressivePixels = 12_500_000

/** libjpeg holds the coefficients of a JPEG with several scans until it has read the last one. */
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
      // Up to 30 % smaller than asked for, where the decoder's own scaling comes close enough.
      decode: async (edge) => shrink(await decodeJpeg(bytes, header, Math.round(edge * 0.7)), edge),
    }
  },
  erase: eraseJpeg,
}
