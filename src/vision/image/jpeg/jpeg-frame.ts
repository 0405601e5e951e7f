import { PictureError } from '../../picture-error.ts'
import { damaged } from './jpeg-segments.ts'

/** What a start-of-frame segment says (ITU-T T.81, B.2.2). */
export interface JpegFrame {
  readonly width: number
  readonly height: number
  /** 1 for grey, 3 for colour, 4 for CMYK. */
  readonly components: number
  readonly isProgressive: boolean
  /** The size of the decoded coefficients, in bytes: two for each sample of each component. */
  readonly coefficientBytes: number
}

const baselineMarker = 0xc0
const progressiveMarker = 0xc2

/** Whether a marker starts a frame: C0 to CF without DHT (C4), JPG (C8) and DAC (CC). */
export function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/**
 * Throws `PictureError` for a damaged frame and for kinds that hardly any program writes (lossless, arithmetic, 12
 * bits).
 */
export function readFrame(marker: number, body: Uint8Array): JpegFrame {
  const [precision, heightHigh = 0, heightLow = 0, widthHigh = 0, widthLow = 0, components = 0] = body
  if (body.length !== 6 + components * 3 || ![1, 3, 4].includes(components)) throw damaged()
  if (marker < baselineMarker || marker > progressiveMarker || precision !== 8)
    throw new PictureError('unsupported_jpeg')
  const size = { width: (widthHigh << 8) | widthLow, height: (heightHigh << 8) | heightLow }
  return {
    ...size,
    components,
    isProgressive: marker === progressiveMarker,
    coefficientBytes: coefficientBytes(size.width, size.height, body.subarray(6)),
  }
}

/** Blocks of 8 x 8 samples, rounded up to whole units of the component's sampling factors (A.2.4). */
function coefficientBytes(width: number, height: number, components: Uint8Array): number {
  const factors: { h: number; v: number }[] = []
  for (let at = 0; at < components.length; at += 3) {
    const sampling = components[at + 1] ?? 0
    factors.push({ h: sampling >> 4, v: sampling & 15 })
  }
  if (factors.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4)) throw damaged()
  const columns = Math.ceil(width / (8 * Math.max(...factors.map(({ h }) => h))))
  const rows = Math.ceil(height / (8 * Math.max(...factors.map(({ v }) => v))))
  return factors.reduce((sum, { h, v }) => sum + columns * h * rows * v * 128, 0)
}
