import type { Picture } from '../../picture.ts'
import webpModule from '../codecs/webp.wasm'
import { withCodec } from '../codecs/with-codec.ts'
import type { WebpHeader } from './read-webp-header.ts'

/**
 * The functions of `webp.c`; `decode` returns an address in the codec's memory, and 0 where it has to be called again.
 */
interface WebpCodec {
  open(length: number, width: number, height: number, outputWidth: number, outputHeight: number): void
  decode(work: number): number
}

/** In the codec's steps, which take about 0.05 s. */
const workPerTurn = 5_000_000

/**
 * Decodes a still WebP, at most `edge` pixels on its longest edge; RGBA, not premultiplied. Throws `PictureError` if it
 * cannot be decoded, and if the decoder reads another size than `header`, before anything is decoded.
 */
export async function decodeWebp(bytes: Uint8Array, header: WebpHeader, edge: number): Promise<Picture> {
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
