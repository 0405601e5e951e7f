import { inflateSync } from 'node:zlib'

export interface TrueMask {
  readonly width: number
  readonly height: number
  /** 1 on the garment. */
  readonly data: Uint8Array
}

/** Decodes a grey PNG of 1 or 8 bits without interlacing, as the masks are. Throws an `Error` for any other. */
export function readMask(png: Uint8Array): TrueMask {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const [bits, colourType, interlace] = [png[24] ?? 0, png[25], png[28]]
  if (colourType !== 0 || interlace !== 0 || (bits !== 1 && bits !== 8)) throw new Error('Not a grey mask')
  const parts: Uint8Array[] = []
  for (let at = 8; at < png.length; at += view.getUint32(at) + 12) {
    if (view.getUint32(at + 4) === 0x49444154) parts.push(png.subarray(at + 8, at + 8 + view.getUint32(at)))
  }
  const packed = inflateSync(Buffer.concat(parts))
  const stride = Math.ceil((width * bits) / 8)
  const data = new Uint8Array(width * height)
  let above = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const start = y * (stride + 1)
    const row = unfilter(packed[start] ?? 0, packed.subarray(start + 1, start + 1 + stride), above)
    for (let x = 0; x < width; x++) {
      const byte = row[bits === 1 ? x >> 3 : x] ?? 0
      data[y * width + x] = bits === 1 ? (byte >> (7 - (x & 7))) & 1 : byte >> 7
    }
    above = row
  }
  return { width, height, data }
}

/** One row with one byte per step (PNG specification, 9.2). */
function unfilter(type: number, filtered: Uint8Array, above: Uint8Array): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(filtered.length)
  for (let i = 0; i < row.length; i++) {
    const [left, up, corner] = [row[i - 1] ?? 0, above[i] ?? 0, above[i - 1] ?? 0]
    const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][type] ?? 0
    row[i] = (filtered[i] ?? 0) + guess
  }
  return row
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)]
  if (a <= b && a <= c) return left
  return b <= c ? up : corner
}
