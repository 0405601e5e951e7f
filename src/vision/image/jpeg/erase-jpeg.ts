import { type ByteSource, pass, skip } from '../metadata/byte-source.ts'
import { keepOrientation } from '../metadata/orientation-block.ts'
import { maxSegments } from './jpeg-segments.ts'

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

/** The byte of the next marker; undefined where none is. */
async function takeMarker(source: ByteSource): Promise<number | undefined> {
  const [first] = await source.take(1)
  if (first !== 0xff) return undefined
  for (;;) {
    // Any number of FF may stand before it: piece by piece, because byte by byte they would take seconds.
    const piece = await source.some(Infinity)
    if (piece.length === 0) return undefined
    const at = piece.findIndex((byte) => byte !== 0xff)
    if (at === -1) continue
    source.unread(piece.subarray(at + 1))
    return piece[at]
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
