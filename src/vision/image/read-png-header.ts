import { PictureError } from '../picture-error.ts'
import { type Orientation, readOrientation } from './orientation.ts'
import { readAscii } from './read-bytes.ts'

export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  readonly profile: Uint8Array
}

/** 20 MiB in pieces of 8 KiB are 2,560 chunks. More chunks only cost time. */
export const maxChunks = 10_000

const format = 'PNG'

const truncated = () => new PictureError('cut_off', { format })

/** Reads size, orientation and profile from the chunks up to the end (PNG, section 5). Throws `PictureError`. */
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

export interface PngChunks {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly samples: number
  readonly isGrey: boolean
  readonly palette: Uint8Array | undefined
  /** `tRNS`: the opacity of each palette entry, or the single transparent colour. */
  readonly transparency: Uint8Array | undefined
  readonly isInterlaced: boolean
  readonly data: readonly Uint8Array[]
}

/** Samples per pixel of each colour type and the depths that it allows (PNG, table 11.1). */
const colourTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

/** Collects what decoding needs from chunks that `readPngHeader` has checked. Throws `PictureError`. */
export function readPngChunks(bytes: Uint8Array): PngChunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const depth = view.getUint8(24)
  const type = view.getUint8(25)
  const kind = colourTypes[type]
  const isKnown =
    kind?.depths.includes(depth) === true &&
    view.getUint8(26) === 0 &&
    view.getUint8(27) === 0 &&
    view.getUint8(28) <= 1
  if (kind === undefined || !isKnown) throw new PictureError('damaged_header', { format: 'PNG' })
  let palette: Uint8Array | undefined
  let transparency: Uint8Array | undefined
  const data: Uint8Array[] = []
  for (let offset = 33; offset + 12 <= bytes.length;) {
    const length = view.getUint32(offset)
    const chunk = readAscii(bytes, offset + 4, 4)
    const body = bytes.subarray(offset + 8, offset + 8 + length)
    if (chunk === 'PLTE') palette = body
    if (chunk === 'tRNS') transparency = body
    if (chunk === 'IDAT') data.push(body)
    if (chunk === 'IEND') break
    offset += 12 + length
  }
  if (type === 3 && palette === undefined) throw new PictureError('palette_missing')
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth,
    samples: kind.samples,
    isGrey: type === 0 || type === 4,
    palette: type === 3 ? palette : undefined,
    transparency,
    isInterlaced: view.getUint8(28) === 1,
    data,
  }
}
