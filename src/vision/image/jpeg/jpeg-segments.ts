import { PictureError } from '../../picture-error.ts'

/** One marker segment of a JPEG file (ITU-T T.81, annex B). */
export interface JpegSegment {
  /** The byte after FF, such as 0xda for a start of scan. */
  readonly marker: number
  /** What follows the segment's two bytes of length. */
  readonly body: Uint8Array
}

export const startOfScan = 0xda

const endOfImage = 0xd9

/** Real files have at most a few hundred segments; millions of empty ones only cost time. */
export const maxSegments = 4096

/**
 * The segments of a JPEG from the start of the image to its end marker; skips the coded pixels of each scan. Follows
 * libjpeg's rules, so that the decoder sees the same segments: a segment is skipped by its length, whatever bytes it
 * holds. Files that libjpeg would read differently are refused: with markers without a length outside of a scan
 * (FF 01, RSTn, a second SOI), reserved markers, and bytes between segments. Bytes after the end marker are allowed.
 * Throws `PictureError`.
 */
export function* jpegSegments(bytes: Uint8Array): Generator<JpegSegment> {
  let offset = 2
  for (let count = 0; ; count++) {
    if (offset >= bytes.length) throw truncated()
    if (bytes[offset] !== 0xff) throw damaged()
    while (bytes[offset] === 0xff) offset++
    const marker = bytes[offset]
    if (marker === undefined) throw truncated()
    if (marker === endOfImage) return
    if (!hasLength(marker)) throw damaged()
    const [high, low] = bytes.subarray(offset + 1, offset + 3)
    if (high === undefined || low === undefined) throw truncated()
    const length = (high << 8) | low
    if (length < 2) throw damaged()
    const end = offset + 1 + length
    if (end > bytes.length) throw truncated()
    if (count === maxSegments) throw new PictureError('too_many_segments', { max: maxSegments })
    yield { marker, body: bytes.subarray(offset + 3, end) }
    offset = marker === startOfScan ? skipScan(bytes, end) : end
  }
}

export function damaged(): PictureError {
  return new PictureError('damaged_header', { format: 'JPEG' })
}

function truncated() {
  return new PictureError('cut_off', { format: 'JPEG' })
}

/** C0 to CF, DA to DF (without SOI and EOI), APPn and COM. */
function hasLength(marker: number) {
  return (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc8) || (marker >= 0xda && marker <= 0xef) || marker === 0xfe
}

/**
 * The offset of the marker after a scan's coded pixels. In these FF 00 is a data byte and RSTn a restart. The decoder
 * fills what is missing with grey and does not say so: that is why the end is looked for here.
 */
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
