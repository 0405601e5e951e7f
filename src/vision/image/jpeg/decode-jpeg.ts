import turboModule from '@cwasm/jpeg-turbo/jpeg-turbo.wasm'
import { PictureError } from '../../picture-error.ts'
import type { Picture } from '../../picture.ts'

/** The TurboJPEG calls that the module exports; pointers and sizes are bytes in `memory`. */
interface Turbo {
  readonly memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(pointer: number): void
  tjInitDecompress(): number
  tjDestroy(handle: number): number
  tjDecompressHeader3(
    handle: number,
    source: number,
    bytes: number,
    width: number,
    height: number,
    subsampling: number,
    colorspace: number,
  ): number
  tjDecompress2(
    handle: number,
    source: number,
    bytes: number,
    target: number,
    width: number,
    pitch: number,
    height: number,
    format: number,
    flags: number,
  ): number
}

const RGBA = 7
const CMYK = 11
/** TJCS_CMYK and TJCS_YCCK: both are handed out as CMYK. */
const CMYK_COLORSPACES = [3, 4]

/** The decoder scales by eighths inside the inverse DCT: fewer samples are computed and held. */
const EIGHTHS = [1, 2, 3, 4, 5, 6, 7, 8]

/** WASM memory never shrinks: above this the instance is dropped and its memory with it. */
const KEPT_HEAP_BYTES = 24 * 1024 * 1024

let kept: Turbo | undefined

/**
 * Decodes a JPEG at the smallest scale of eighths whose longest edge is at least `edge` pixels (or at full size).
 * Baseline and progressive, grey, YCbCr, RGB, CMYK and YCCK. Throws `PictureError` where it cannot be decoded.
 */
export function decodeJpeg(bytes: Uint8Array, edge: number): Picture {
  const turbo = kept ?? instantiate()
  // Only a decoder that came through is used again: an abandoned one keeps what it had allocated.
  kept = undefined
  const picture = decodeWith(turbo, bytes, edge)
  if (turbo.memory.buffer.byteLength <= KEPT_HEAP_BYTES) kept = turbo
  return picture
}

function decodeWith(turbo: Turbo, bytes: Uint8Array, edge: number): Picture {
  try {
    const source = turbo.malloc(bytes.length)
    new Uint8Array(turbo.memory.buffer, source, bytes.length).set(bytes)
    const handle = turbo.tjInitDecompress()
    const header = turbo.malloc(16)
    if (turbo.tjDecompressHeader3(handle, source, bytes.length, header, header + 4, header + 8, header + 12) !== 0)
      throw cannotDecode()
    const [fullWidth = 0, fullHeight = 0, , colorspace = 0] = new Uint32Array(turbo.memory.buffer, header, 4)
    const eighths = EIGHTHS.find((part) => (Math.max(fullWidth, fullHeight) * part) / 8 >= edge) ?? 8
    const width = Math.ceil((fullWidth * eighths) / 8)
    const height = Math.ceil((fullHeight * eighths) / 8)
    const size = width * height * 4
    const target = turbo.malloc(size)
    new Uint8Array(turbo.memory.buffer, target, size).fill(0)
    const isCmyk = CMYK_COLORSPACES.includes(colorspace)
    // A status of -1 also stands for mere warnings (stray bytes, which phones do write); real errors end in `longjmp`.
    turbo.tjDecompress2(handle, source, bytes.length, target, width, width * 4, height, isCmyk ? CMYK : RGBA, 0)
    const data = new Uint8ClampedArray(turbo.memory.buffer, target, size).slice()
    if (isCmyk) convertCmyk(data)
    else if (data[3] === 0) throw cannotDecode()
    for (const pointer of [target, header, source]) turbo.free(pointer)
    turbo.tjDestroy(handle)
    return { width, height, data }
  } catch (error) {
    if (error instanceof PictureError) throw error
    throw cannotDecode()
  }
}

/** Adobe writes CMYK inverted (255 is no ink), and so does nearly every CMYK JPEG; in place, to RGBA. */
function convertCmyk(data: Uint8ClampedArray) {
  for (let i = 0; i < data.length; i += 4) {
    const key = (data[i + 3] ?? 0) / 255
    for (let channel = 0; channel < 3; channel++) data[i + channel] = (data[i + channel] ?? 0) * key
    data[i + 3] = 255
  }
}

function cannotDecode() {
  return new PictureError('The JPEG image is damaged and cannot be decoded.')
}

/** The module was built without setjmp: an error of the library surfaces as the exception thrown by `longjmp`. */
function instantiate(): Turbo {
  const refuse = () => {
    throw new Error('The JPEG decoder gave up')
  }
  const imports = {
    env: { setjmp: () => 0, longjmp: refuse },
    wasi_snapshot_preview1: {
      environ_sizes_get: () => 0,
      environ_get: refuse,
      proc_exit: refuse,
      fd_close: refuse,
      fd_seek: refuse,
      fd_write: () => 0,
    },
  }
  return new WebAssembly.Instance(turboModule, imports).exports as unknown as Turbo
}
