import { crc32 } from 'node:zlib'
import { concat } from '../fixtures/pictures/hostile/damage.ts'

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Splits a format into parts, and joins parts with valid checksums and lengths. */
export interface Format {
  readonly split: (bytes: Uint8Array) => Uint8Array[]
  readonly join: (parts: readonly Uint8Array[]) => Uint8Array
}

/** JPEG: segments with their markers. A scan's data belongs to its segment. */
export const jpegParts: Format = {
  split(bytes) {
    const starts: number[] = []
    let at = 0
    while (at + 1 < bytes.length) {
      const isMarker = bytes[at] === 0xff && (bytes[at + 1] ?? 0) >= 0xc0
      if (isMarker && !((bytes[at + 1] ?? 0) >= 0xd0 && (bytes[at + 1] ?? 0) <= 0xd7)) starts.push(at)
      const hasLength = isMarker && bytes[at + 1] !== 0xd8 && bytes[at + 1] !== 0xd9 && at + 4 <= bytes.length
      at += hasLength ? 2 + viewOf(bytes).getUint16(at + 2) : isMarker ? 2 : 1
    }
    return starts.map((start, index) => bytes.slice(start, starts[index + 1]))
  },
  join: (parts) => concat(...parts),
}

/** PNG: the signature, then chunks without length and checksum. */
export const pngParts: Format = {
  split(bytes) {
    const parts = [bytes.slice(0, 8)]
    for (let at = 8; at + 12 <= bytes.length;) {
      const length = viewOf(bytes).getUint32(at)
      parts.push(bytes.slice(at + 4, at + 8 + length))
      at += 12 + length
    }
    return parts
  },
  join([signature = new Uint8Array(), ...chunks]) {
    return concat(
      signature,
      ...chunks.map((chunk) => {
        const whole = new Uint8Array(chunk.length + 8)
        whole.set(chunk, 4)
        viewOf(whole).setUint32(0, Math.max(0, chunk.length - 4))
        viewOf(whole).setUint32(chunk.length + 4, crc32(chunk))
        return whole
      }),
    )
  },
}

/** WebP: the header, then chunks without length. */
export const webpParts: Format = {
  split(bytes) {
    const parts = [bytes.slice(0, 12)]
    for (let at = 12; at + 8 <= bytes.length;) {
      const length = viewOf(bytes).getUint32(at + 4, true)
      parts.push(concat(bytes.slice(at, at + 4), bytes.slice(at + 8, at + 8 + length)))
      at += 8 + length + (length & 1)
    }
    return parts
  },
  join([header = new Uint8Array(), ...chunks]) {
    const whole = concat(
      header,
      ...chunks.map((chunk) => {
        const length = Math.max(0, chunk.length - 4)
        const encoded = new Uint8Array(8 + length + (length & 1))
        encoded.set(chunk.subarray(0, 4))
        viewOf(encoded).setUint32(4, length, true)
        encoded.set(chunk.subarray(4), 8)
        return encoded
      }),
    )
    if (whole.length >= 8) viewOf(whole).setUint32(4, whole.length - 8, true)
    return whole
  },
}
