import type { Picture } from '../../picture.ts'
import jpegModule from '../codecs/jpeg.wasm'
import { damaged, withCodec } from '../codecs/with-codec.ts'
import type { TakeTurn } from '../turn.ts'
import type { JpegHeader } from './read-jpeg-header.ts'

/** The functions of `jpeg.c`; `open` and `start` return addresses in the codec's memory. */
interface JpegCodec {
  open(): number
  start(eighths: number): number
  read_scan_row(): number
  read_row(): number
}

/** The decoder scales by eighths inside the inverse DCT, so that fewer samples are computed and held. */
const scaleEighths = [1, 2, 3, 4, 5, 6, 7, 8]

/** Pixels at full size of one scan, which take about 0.05 s. */
const pixelsPerTurn = 4_000_000

/** The smallest height of a row of blocks; with subsampling it is twice that. */
const mcuHeight = 8

/**
 * Decodes a JPEG at the smallest scale in eighths whose longest edge is at least `edge` pixels, or else at full size.
 * Baseline and progressive, grey, YCbCr, RGB, CMYK and YCCK. Throws `PictureError` if it cannot be decoded, and if the
 * decoder reads another header than `header`, before anything is decoded.
 */
export async function decodeJpeg(bytes: Uint8Array, header: JpegHeader, edge: number): Promise<Picture> {
  return await withCodec(
    jpegModule,
    'JPEG',
    [bytes],
    async (codec: JpegCodec, memory, takeTurn) => await decode(codec, memory, takeTurn, header, edge),
  )
}

async function decode(
  codec: JpegCodec,
  memory: WebAssembly.Memory,
  takeTurn: TakeTurn,
  header: JpegHeader,
  edge: number,
): Promise<Picture> {
  const info = codec.open()
  const [fullWidth, fullHeight, components, isCmyk] = new Int32Array(memory.buffer, info, 4)
  if (fullWidth !== header.width || fullHeight !== header.height || components !== header.components)
    throw damaged('JPEG')
  const longest = Math.max(header.width, header.height)
  const row = codec.start(scaleEighths.find((part) => (longest * part) / 8 >= edge) ?? 8)
  const [width = 0, height = 0] = new Int32Array(memory.buffer, info, 2)
  while (codec.read_scan_row() > 0) await takeTurn((header.width * mcuHeight) / pixelsPerTurn)
  const data = new Uint8ClampedArray(width * height * 4)
  const sharePerRow = (header.width * header.height) / height / pixelsPerTurn
  for (let at = 0; codec.read_row() > 0; at += width * 4) {
    data.set(new Uint8Array(memory.buffer, row, width * 4), at)
    await takeTurn(sharePerRow)
  }
  if (isCmyk === 1) convertCmyk(data)
  return { width, height, data }
}

/** Converts CMYK to RGBA in place. Adobe stores CMYK inverted (255 is no ink), and so does nearly every CMYK JPEG. */
function convertCmyk(data: Uint8ClampedArray) {
  for (let i = 0; i < data.length; i += 4) {
    const key = data[i + 3]! / 255
    for (let channel = i; channel < i + 3; channel++) data[channel] = data[channel]! * key
    data[i + 3] = 255
  }
}
