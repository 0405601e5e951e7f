import webpModule from '@cwasm/webp/webp.wasm'
import { PictureError } from '../../picture-error.ts'
import type { Picture } from '../../picture.ts'
import { shrink } from '../shrink.ts'

/** The libwebp calls that the module exports; pointers and sizes are bytes in `memory`. */
interface Webp {
  readonly memory: WebAssembly.Memory
  malloc(bytes: number): number
  WebPDecodeRGBA(source: number, bytes: number, width: number, height: number): number
}

/**
 * Decodes a still WebP and shrinks it to `edge` pixels straight from the decoder's memory, which saves a copy of up to
 * 50 MB. The instance is used once, so that its memory can go. Throws `PictureError` where it cannot be decoded.
 */
export function decodeWebp(bytes: Uint8Array, edge: number): Picture {
  try {
    const webp = instantiate()
    const source = webp.malloc(bytes.length)
    new Uint8Array(webp.memory.buffer, source, bytes.length).set(bytes)
    const size = webp.malloc(8)
    const target = webp.WebPDecodeRGBA(source, bytes.length, size, size + 4)
    if (target === 0) throw cannotDecode()
    const [width = 0, height = 0] = new Uint32Array(webp.memory.buffer, size, 2)
    const full = { width, height, data: new Uint8ClampedArray(webp.memory.buffer, target, width * height * 4) }
    const small = shrink(full, edge)
    return small === full ? { width, height, data: full.data.slice() } : small
  } catch (error) {
    if (error instanceof PictureError) throw error
    throw cannotDecode()
  }
}

function cannotDecode() {
  return new PictureError('The WebP image is damaged and cannot be decoded.')
}

function instantiate(): Webp {
  const refuse = () => {
    throw new Error('The WebP decoder gave up')
  }
  const imports = { wasi_snapshot_preview1: { fd_close: refuse, fd_seek: refuse, fd_write: () => 0 } }
  return new WebAssembly.Instance(webpModule, imports).exports as unknown as Webp
}
