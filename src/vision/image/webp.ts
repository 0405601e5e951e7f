import { PictureError } from '../picture-error.ts'
import { keepOrientation, type Orientation, readOrientation } from './orientation.ts'
import { type ByteSource, hasAscii, pass, readAscii, skip } from './read-bytes.ts'
import { maxProfileBytes } from './colour-profile.ts'
import type { Picture } from '../picture.ts'
import webpModule from './codecs/webp.wasm'
import { withCodec } from './codecs/with-codec.ts'
import type { PictureFormat } from './picture-format.ts'

interface WebpHeader {
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  readonly isLossless: boolean
  readonly profile: Uint8Array
}

const format = 'WebP'

const none = new Uint8Array()

const maxChunks = 1000

/** Reads the RIFF container (RFC 9649) of a lossy, lossless or extended WebP. Throws `PictureError`. */
function readWebpHeader(bytes: Uint8Array): WebpHeader {
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

/** Exports of `webp.c`. `decode` returns an address in the codec's memory, or 0 if it must be called again. */
interface WebpCodec {
  open(length: number, width: number, height: number, outputWidth: number, outputHeight: number): void
  decode(work: number): number
}

/** Codec steps per turn, about 0.05 s. */
const workPerTurn = 5_000_000

/**
 * Decodes a still WebP to RGBA, at most `edge` pixels on the longest edge. Throws `PictureError`, also if the decoder
 * disagrees with `header`.
 */
async function decodeWebp(bytes: Uint8Array, header: WebpHeader, edge: number): Promise<Picture> {
  const scale = Math.min(1, edge / Math.max(header.width, header.height))
  const width = Math.max(1, Math.round(header.width * scale))
  const height = Math.max(1, Math.round(header.height * scale))
  return await withCodec(webpModule, 'WebP', [bytes], async (codec: WebpCodec, memory, takeTurn) => {
    codec.open(bytes.length, header.width, header.height, width, height)
    let pixels = codec.decode(workPerTurn)
    while (pixels === 0) {
      await takeTurn(1)
      pixels = codec.decode(workPerTurn)
    }
    return { width, height, data: new Uint8ClampedArray(memory.buffer, pixels, width * height * 4).slice() }
  })
}

/** Longer EXIF blocks lose their orientation too. */
const maxExif = 0x40000

/** Yields a WebP whose metadata, except the orientation, is overwritten by zeros. Drops data after its end. */
async function* eraseWebp(source: ByteSource): AsyncGenerator<Uint8Array> {
  const start = await source.take(12)
  if (start.length < 12 || !hasAscii(start, 0, 'RIFF') || !hasAscii(start, 8, 'WEBP')) return
  yield start
  let left = new DataView(start.buffer).getUint32(4, true) - 4
  for (let count = 0; left > 0 && count <= maxChunks; count++) {
    const head = await source.take(8)
    if (head.length < 8) return
    const name = readAscii(head, 0, 4)
    const size = new DataView(head.buffer, head.byteOffset).getUint32(4, true)
    const length = Math.min(size + (size % 2), left - 8)
    yield head
    if (name === 'EXIF' || name === 'XMP ') {
      const block = await source.take(name === 'EXIF' && length <= maxExif ? length : 0)
      const rest = await skip(source, length - block.length)
      const exif = keepOrientation(block)
      yield* zeros(block.length + rest, exif !== null && exif.length <= block.length ? exif : [])
    } else yield* pass(source, length)
    left -= 8 + length
  }
}

function* zeros(length: number, beginning: readonly number[]): Generator<Uint8Array> {
  const piece = new Uint8Array(Math.min(length, 0x10000))
  piece.set(beginning)
  for (let left = length; left > 0; left -= 0x10000) {
    yield piece.slice(0, left)
    piece.fill(0)
  }
}

const maxLossyPixels = 12_500_000

/** libwebp holds a lossless picture at full size, four bytes per pixel. */
const maxLosslessPixels = 6_250_000

export const webpFormat: PictureFormat = {
  name: 'WebP',
  contentType: 'image/webp',
  matches: (start) => hasAscii(start, 0, 'RIFF') && hasAscii(start, 8, 'WEBP'),
  open: (bytes) => {
    const header = readWebpHeader(bytes)
    const { width, height, orientation, isLossless, profile } = header
    return {
      width,
      height,
      orientation,
      ...(isLossless
        ? { kind: 'lossless WebP', maxPixels: maxLosslessPixels }
        : { kind: 'WebP', maxPixels: maxLossyPixels }),
      extractProfile: () => Promise.resolve(profile),
      decode: async (edge) => await decodeWebp(bytes, header, edge),
    }
  },
  erase: eraseWebp,
}
