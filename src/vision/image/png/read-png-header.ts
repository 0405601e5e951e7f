import { PictureError } from '../../picture-error.ts'
import { type Orientation, readOrientation } from '../read-orientation.ts'
import { readAscii } from '../ascii.ts'

export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  /** The body of `iCCP`: a compressed profile with a name; empty without one. */
  readonly profile: Uint8Array
}

/** 20 MiB in the usual pieces of 8 KiB are 2,560 chunks; hundreds of thousands of empty ones only cost time. */
export const maxChunks = 10_000

const format = 'PNG'

const truncated = () => new PictureError('cut_off', { format })

/**
 * Reads the chunks up to the end (PNG specification, section 5): the first has the size, `eXIf` the orientation. Throws
 * `PictureError`.
 */
export function readPngHeader(bytes: Uint8Array): PngHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33) throw truncated()
  if (readAscii(bytes, 12, 4) !== 'IHDR' || view.getUint32(8) !== 13) {
    throw new PictureError('damaged_header', { format })
  }
  let orientation: Orientation = 1
  let profile: Uint8Array = new Uint8Array()
  let offset = 33
  for (let count = 1; ; count++) {
    if (count > maxChunks) throw new PictureError('too_many_chunks', { format, max: maxChunks })
    if (offset + 12 > bytes.length) throw truncated()
    const length = view.getUint32(offset)
    const type = readAscii(bytes, offset + 4, 4)
    if (!/^[A-Za-z]{4}$/.test(type)) throw new PictureError('damaged_chunk')
    if (offset + 12 + length > bytes.length) throw truncated()
    if (type === 'IEND') break
    const body = bytes.subarray(offset + 8, offset + 8 + length)
    if (type === 'eXIf') orientation = readOrientation(body)
    if (type === 'iCCP') profile = body
    offset += 12 + length
  }
  return { width: view.getUint32(16), height: view.getUint32(20), orientation, profile }
}
