import { PictureError } from '../../picture-error.ts'
import { type Orientation, readOrientation } from '../jpeg/read-orientation.ts'
import { readAscii } from '../sniff-format.ts'

export interface WebpHeader {
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
}

const TRUNCATED = 'The WebP image is cut off before its end.'

/** Reads the first chunk of the RIFF container (RFC 9649): lossy, lossless or extended. */
export function readWebpHeader(bytes: Uint8Array): WebpHeader {
  if (bytes.length < 30) throw new PictureError(TRUNCATED)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(4, true) + 8 > bytes.length) throw new PictureError(TRUNCATED)
  const chunk = readAscii(bytes, 12, 4)
  if (chunk === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff, orientation: 1 }
  }
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1, orientation: 1 }
  }
  if (chunk !== 'VP8X') throw new PictureError('The WebP image is damaged: its header cannot be read.')
  if ((view.getUint8(20) & 0x02) !== 0) throw new PictureError('Animated WebP images are not supported.')
  const width = 1 + (view.getUint16(24, true) | (view.getUint8(26) << 16))
  const height = 1 + (view.getUint16(27, true) | (view.getUint8(29) << 16))
  return { width, height, orientation: findExif(bytes, view) }
}

function findExif(bytes: Uint8Array, view: DataView): Orientation {
  for (let offset = 30; offset + 8 <= bytes.length;) {
    const length = view.getUint32(offset + 4, true)
    if (readAscii(bytes, offset, 4) === 'EXIF') {
      const block = bytes.subarray(offset + 8, offset + 8 + length)
      return readOrientation(readAscii(block, 0, 4) === 'Exif' ? block.subarray(6) : block)
    }
    offset += 8 + length + (length & 1)
  }
  return 1
}
