import { PictureError } from '../../picture-error.ts'
import { type Orientation, readOrientation } from './read-orientation.ts'
import { readAscii } from '../sniff-format.ts'

export interface JpegHeader {
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
}

/** Every scan of a progressive file walks over all pixels: without a bound a small file keeps a decoder busy for minutes. */
const MAX_SCANS = 100

const TRUNCATED = 'The JPEG image is cut off before its end.'

/**
 * Walks the marker segments (ITU-T T.81, annex B) up to the first scan, then looks for the end marker, because the
 * decoder fills what is missing with grey and does not say so. Bytes after the end marker are allowed.
 */
export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  let orientation: Orientation = 1
  let size: { width: number; height: number } | undefined
  let offset = 2
  for (;;) {
    while (bytes[offset] === 0xff && bytes[offset + 1] === 0xff) offset++
    const marker = bytes[offset + 1]
    if (marker === undefined) throw new PictureError(TRUNCATED)
    if (bytes[offset] !== 0xff) throw new PictureError('The JPEG image is damaged: its header cannot be read.')
    if (marker === 0xd9) throw new PictureError('The JPEG image holds no picture.')
    if (offset + 4 > bytes.length) throw new PictureError(TRUNCATED)
    const length = (at(bytes, offset + 2) << 8) | at(bytes, offset + 3)
    if (length < 2) throw new PictureError('The JPEG image is damaged: its header cannot be read.')
    const body = offset + 4
    if (body + length - 2 > bytes.length) throw new PictureError(TRUNCATED)
    if (isFrame(marker)) {
      size = {
        height: (at(bytes, body + 1) << 8) | at(bytes, body + 2),
        width: (at(bytes, body + 3) << 8) | at(bytes, body + 4),
      }
    }
    if (marker === 0xe1 && readAscii(bytes, body, 4) === 'Exif') {
      orientation = readOrientation(bytes.subarray(body + 6, body + length - 2))
    }
    offset = body + length - 2
    if (marker === 0xda) break
  }
  if (size === undefined) throw new PictureError('The JPEG image is damaged: its size is missing.')
  checkEnd(bytes, offset)
  return { ...size, orientation }
}

function checkEnd(bytes: Uint8Array, firstScan: number) {
  let scans = 1
  for (let offset = bytes.indexOf(0xff, firstScan); offset !== -1; offset = bytes.indexOf(0xff, offset + 1)) {
    const marker = bytes[offset + 1]
    if (marker === 0xd9) return
    if (marker === 0xda && ++scans > MAX_SCANS)
      throw new PictureError(`The JPEG image has more than ${MAX_SCANS} scans.`)
  }
  throw new PictureError(TRUNCATED)
}

/** Start of frame: C0 to CF without the Huffman, arithmetic and reserved markers in that range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function at(bytes: Uint8Array, offset: number): number {
  return bytes[offset] ?? 0
}
