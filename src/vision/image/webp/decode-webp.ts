import type { Picture } from '../../picture.ts'
import { instantiateCodec, toPictureError } from '../codecs/instantiate-codec.ts'
import webpModule from '../codecs/webp.wasm'
import type { WebpHeader } from './read-webp-header.ts'

/** The function of `webp.c`; the result is an address in the codec's memory. */
interface WebpCodec {
  decode(length: number, width: number, height: number, outputWidth: number, outputHeight: number): number
}

/**
 * Decodes a still WebP, at most `edge` pixels on its longest edge; RGBA, not premultiplied. Throws `PictureError` if it
 * cannot be decoded, and if the decoder reads another size than `header`, before anything is decoded.
 */
export function decodeWebp(bytes: Uint8Array, header: WebpHeader, edge: number): Picture {
  const scale = Math.min(1, edge / Math.max(header.width, header.height))
  const width = Math.max(1, Math.round(header.width * scale))
  const height = Math.max(1, Math.round(header.height * scale))
  try {
    const { exports, memory } = instantiateCodec<WebpCodec>(webpModule, 'WebP', [bytes])
    const pixels = exports.decode(bytes.length, header.width, header.height, width, height)
    return { width, height, data: new Uint8ClampedArray(memory.buffer, pixels, width * height * 4).slice() }
  } catch (error) {
    throw toPictureError(error, 'WebP')
  }
}
