import turboModule from '@cwasm/jpeg-turbo/jpeg-turbo.wasm'
import { PictureError } from '../../picture-error.ts'
import type { Picture } from '../../picture.ts'
import type { JpegHeader } from './read-jpeg-header.ts'

/** The TurboJPEG calls that the module exports; pointers and sizes are bytes in `memory`. */
interface Turbo {
  readonly memory: WebAssembly.Memory
  malloc(bytes: number): number
  tjInitDecompress(): number
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

/**
 * Decodes a JPEG at the smallest scale of eighths whose longest edge is at least `edge` pixels (or at full size).
 * Baseline and progressive, grey, YCbCr, RGB, CMYK and YCCK. Throws `PictureError` where it cannot be decoded.
 */
export function decodeJpeg(bytes: Uint8Array, header: JpegHeader, edge: number): Picture {
  try {
    // A fresh instance for each picture: what a hostile file does to the heap ends with it.
    const turbo = instantiate()
    const source = turbo.malloc(bytes.length)
    new Uint8Array(turbo.memory.buffer, source, bytes.length).set(bytes)
    const handle = turbo.tjInitDecompress()
    const size = turbo.malloc(16)
    if (turbo.tjDecompressHeader3(handle, source, bytes.length, size, size + 4, size + 8, size + 12) !== 0)
      throw cannotDecode()
    const [fullWidth = 0, fullHeight = 0, , colorspace = 0] = new Uint32Array(turbo.memory.buffer, size, 4)
    if (fullWidth !== header.width || fullHeight !== header.height) throw cannotDecode()
    const eighths = EIGHTHS.find((part) => (Math.max(fullWidth, fullHeight) * part) / 8 >= edge) ?? 8
    const width = Math.ceil((fullWidth * eighths) / 8)
    const height = Math.ceil((fullHeight * eighths) / 8)
    const length = width * height * 4
    const target = turbo.malloc(length)
    new Uint8Array(turbo.memory.buffer, target, length).fill(0)
    const isCmyk = CMYK_COLORSPACES.includes(colorspace)
    // A status of -1 also stands for mere warnings (stray bytes, which phones do write); real errors end in `longjmp`.
    turbo.tjDecompress2(handle, source, bytes.length, target, width, width * 4, height, isCmyk ? CMYK : RGBA, 0)
    const data = new Uint8ClampedArray(turbo.memory.buffer, target, length).slice()
    if (isCmyk) convertCmyk(data)
    else if (data[3] === 0) throw cannotDecode()
    return { width, height, data }
  } catch (error) {
    if (error instanceof PictureError) throw error
    throw cannotDecode()
  }
}

/** Converts CMYK to RGBA in place. Adobe stores CMYK inverted (255 is no ink), and so does nearly every CMYK JPEG. */
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
