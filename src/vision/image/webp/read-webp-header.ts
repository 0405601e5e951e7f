import { PictureError } from '../../picture-error.ts'
import { type Orientation, readOrientation } from '../read-orientation.ts'
import { readAscii } from '../ascii.ts'
import { maxProfileBytes } from '../colour-profile/read-profile.ts'

export interface WebpHeader {
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  readonly isLossless: boolean
  /** The ICC profile; empty without one. */
  readonly profile: Uint8Array
}

const format = 'WebP'

const none = new Uint8Array()

/** Real files have fewer than ten. */
export const maxChunks = 1000

/** Reads the first chunk of the RIFF container (RFC 9649): lossy, lossless or extended. Throws `PictureError`. */
export function readWebpHeader(bytes: Uint8Array): WebpHeader {
  if (bytes.length < 30) throw truncated()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = view.getUint32(4, true) + 8
  if (end > bytes.length) throw truncated()
  const chunk = readAscii(bytes, 12, 4)
  const common = { orientation: 1, isLossless: chunk === 'VP8L', profile: none } as const
  if (chunk === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff, ...common }
  if (chunk === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1, ...common }
  }
  if (chunk !== 'VP8X') throw new PictureError('damaged_header', { format })
  if ((view.getUint8(20) & 0x02) !== 0) throw new PictureError('animated_webp')
  return {
    width: 1 + (view.getUint16(24, true) | (view.getUint8(26) << 16)),
    height: 1 + (view.getUint16(27, true) | (view.getUint8(29) << 16)),
    ...readExtended(bytes.subarray(0, end), view),
  }
}

/** Reads from the chunks after VP8X how the picture is coded, and its orientation. */
function readExtended(bytes: Uint8Array, view: DataView): Pick<WebpHeader, 'orientation' | 'isLossless' | 'profile'> {
  let orientation: Orientation = 1
  let profile: Uint8Array = none
  let isLossless = false
  let count = 0
  for (let offset = 30; offset + 8 <= bytes.length;) {
    if (++count > maxChunks) throw new PictureError('too_many_chunks', { format, max: maxChunks })
    const length = view.getUint32(offset + 4, true)
    const type = readAscii(bytes, offset, 4)
    if (type === 'VP8L') isLossless = true
    if (type === 'ICCP' && length <= maxProfileBytes) profile = bytes.subarray(offset + 8, offset + 8 + length)
    if (type === 'EXIF') {
      const block = bytes.subarray(offset + 8, offset + 8 + length)
      orientation = readOrientation(readAscii(block, 0, 4) === 'Exif' ? block.subarray(6) : block)
    }
    offset += 8 + length + (length & 1)
  }
  return { orientation, isLossless, profile }
}

function truncated() {
  return new PictureError('cut_off', { format })
}
