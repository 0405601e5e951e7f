import { PictureError } from '../picture-error.ts'
import { hasAscii } from './read-bytes.ts'
import { type Orientation, readOrientation } from './orientation.ts'

interface JpegSegment {
  readonly marker: number
  readonly body: Uint8Array
}

const startOfScan = 0xda

const endOfImage = 0xd9

/** Real files have a few hundred segments. Millions of empty ones only cost time. */
export const maxSegments = 4096

/**
 * Yields the segments of a JPEG up to its end marker, without the coded pixels. Skips the same bytes as libjpeg, so
 * that the decoder sees the same segments. Throws `PictureError` for files that libjpeg rejects.
 */
function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  let offset = 2
  for (let count = 0; ;) {
    offset = bytes.indexOf(0xff, offset)
    if (offset === -1) throw truncated()
    while (bytes[offset] === 0xff) offset++
    const marker = bytes[offset]
    if (marker === undefined) throw truncated()
    if (marker === endOfImage) return
    if (isSkipped(marker)) continue
    if (!hasLength(marker)) throw damaged()
    const [high, low] = bytes.subarray(offset + 1, offset + 3)
    if (high === undefined || low === undefined) throw truncated()
    const length = (high << 8) | low
    if (length < 2) throw damaged()
    const end = offset + 1 + length
    if (end > bytes.length) throw truncated()
    if (count++ === maxSegments) throw new PictureError('too_many_segments', { max: maxSegments })
    yield { marker, body: bytes.subarray(offset + 3, end) }
    offset = marker === startOfScan ? skipScan(bytes, end) : end
  }
}

function damaged(): PictureError {
  return new PictureError('damaged_header', { format: 'JPEG' })
}

function truncated() {
  return new PictureError('cut_off', { format: 'JPEG' })
}

/** Markers that libjpeg skips outside scans: stuffed zeros, TEM and RSTn. */
export const isSkipped = (marker: number) => marker <= 1 || (marker >= 0xd0 && marker <= 0xd7)

/** True for C0 to CF except JPG, DA to DF (so not SOI and EOI), APPn and COM. */
function hasLength(marker: number) {
  return (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xef) || marker === 0xfe
}

/** Returns the offset after a scan, in which FF 00 is data and RSTn a restart. */
function skipScan(bytes: Uint8Array, start: number): number {
  const last = bytes.length - 1
  for (let offset = start; offset < last; offset++) {
    if (bytes[offset] !== 0xff) continue
    const next = bytes[offset + 1] ?? 0
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7)
    if (!isData) return offset
  }
  throw truncated()
}

/** A start-of-frame segment (ITU-T T.81, B.2.2). */
interface JpegFrame {
  readonly width: number
  readonly height: number
  readonly components: number
  readonly isProgressive: boolean
  /** Bytes of the decoded coefficients, two per sample. */
  readonly coefficientBytes: number
}

const baselineMarker = 0xc0
const progressiveMarker = 0xc2

/** C0 to CF start a frame, except DHT (C4), JPG (C8) and DAC (CC). */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** Throws `PictureError` for damaged frames and rare kinds (lossless, arithmetic, 12 bits). */
function readFrame(marker: number, body: Uint8Array): JpegFrame {
  const [precision, heightHigh = 0, heightLow = 0, widthHigh = 0, widthLow = 0, components = 0] = body
  if (body.length !== 6 + components * 3 || ![1, 3, 4].includes(components)) throw damaged()
  if (marker < baselineMarker || marker > progressiveMarker || precision !== 8)
    throw new PictureError('unsupported_jpeg')
  const size = { width: (widthHigh << 8) | widthLow, height: (heightHigh << 8) | heightLow }
  return {
    ...size,
    components,
    isProgressive: marker === progressiveMarker,
    coefficientBytes: coefficientBytes(size.width, size.height, body.subarray(6)),
  }
}

/** Counts 8 x 8 blocks, rounded up to whole sampling units (A.2.4), at 128 bytes each. */
function coefficientBytes(width: number, height: number, components: Uint8Array): number {
  const factors: { h: number; v: number }[] = []
  for (let at = 0; at < components.length; at += 3) {
    const sampling = components[at + 1] ?? 0
    factors.push({ h: sampling >> 4, v: sampling & 15 })
  }
  if (factors.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4)) throw damaged()
  const columns = Math.ceil(width / (8 * Math.max(...factors.map(({ h }) => h))))
  const rows = Math.ceil(height / (8 * Math.max(...factors.map(({ v }) => v))))
  return factors.reduce((sum, { h, v }) => sum + columns * h * rows * v * 128, 0)
}

export interface JpegHeader extends Pick<JpegFrame, 'width' | 'height' | 'components'> {
  readonly orientation: Orientation
  /** ICC profile that fits into one segment. Empty without a profile. */
  readonly profile: Uint8Array
  /** Bytes that the decoder holds until the last scan. 0 for files with one scan. */
  readonly coefficientBytes: number
}

/** Limits CPU time: each scan visits all pixels. */
const maxScans = 50

const [app1, app2] = [0xe1, 0xe2]

const profileStart = 'ICC_PROFILE\0\x01\x01'

/** Reads size and orientation, and checks the file up to its end. Throws `PictureError`. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  let orientation: Orientation | undefined
  let profile: Uint8Array | undefined
  let frame: JpegFrame | undefined
  let scans = 0
  let isBuffered = false
  for (const { marker, body } of jpegSegments(bytes)) {
    if (isFrame(marker)) {
      if (frame !== undefined) throw damaged()
      frame = readFrame(marker, body)
    }
    // The first EXIF segment counts, as in browsers.
    if (marker === app1 && scans === 0 && hasAscii(body, 0, 'Exif')) orientation ??= readOrientation(body.subarray(6))
    if (marker === app2 && hasAscii(body, 0, profileStart)) profile ??= body.subarray(profileStart.length)
    if (marker === startOfScan) {
      if (frame === undefined) throw new PictureError('size_missing')
      // The first byte of a scan is its number of components.
      if (frame.isProgressive || (body[0] ?? 0) < frame.components) isBuffered = true
      if (++scans > maxScans) throw new PictureError('too_many_scans', { max: maxScans })
    }
  }
  if (frame === undefined || scans === 0) throw new PictureError('no_scan')
  const { width, height, components } = frame
  return {
    width,
    height,
    components,
    orientation: orientation ?? 1,
    profile: profile ?? new Uint8Array(),
    coefficientBytes: isBuffered ? frame.coefficientBytes : 0,
  }
}
