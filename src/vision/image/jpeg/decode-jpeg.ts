import type { Picture } from '../../picture.ts'
import jpegModule from '../codecs/jpeg.wasm'
import { damaged, withCodec } from '../codecs/with-codec.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import type { JpegHeader } from './read-jpeg-header.ts'

/** The functions of `jpeg.c`; results are addresses in the codec's memory, except for `read_rows`. */
interface JpegCodec {
  open(): number
  start(eighths: number): number
  read_scans(mcuRows: number): number
  read_rows(): number
}

/** The decoder scales by eighths inside the inverse DCT, so that fewer samples are computed and held. */
const scaleEighths = [1, 2, 3, 4, 5, 6, 7, 8]

/** Other requests of the isolate get a turn after this many pixels of one scan, which take about 0.05 s. */
const pixelsPerTurn = 4_000_000

/** The least height of a row of blocks; with subsampling it is twice that. */
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
    async (codec: JpegCodec, memory) => await decode(codec, memory, header, edge),
  )
}

async function decode(
  codec: JpegCodec,
  memory: WebAssembly.Memory,
  header: JpegHeader,
  edge: number,
): Promise<Picture> {
  const info = codec.open()
  const [fullWidth, fullHeight, components, isCmyk] = new Int32Array(memory.buffer, info, 4)
  if (fullWidth !== header.width || fullHeight !== header.height || components !== header.components)
    throw damaged('JPEG')
  const longest = Math.max(header.width, header.height)
  const rows = codec.start(scaleEighths.find((part) => (longest * part) / 8 >= edge) ?? 8)
  const [width = 0, height = 0] = new Int32Array(memory.buffer, info, 2)
  while (codec.read_scans(Math.ceil(pixelsPerTurn / header.width / mcuHeight)) > 0) await yieldToEventLoop()
  const data = new Uint8ClampedArray(width * height * 4)
  const rowsPerTurn = pixelsPerTurn / header.width / (header.height / height)
  let turnAt = rowsPerTurn
  for (let done = 0, count = codec.read_rows(); count > 0; count = codec.read_rows()) {
    data.set(new Uint8Array(memory.buffer, rows, count * width * 4), done * width * 4)
    done += count
    if (done < turnAt) continue
    turnAt += rowsPerTurn
    await yieldToEventLoop()
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
