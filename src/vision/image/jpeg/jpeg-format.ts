import type { PictureFormat } from '../picture-format.ts'
import { shrink } from '../shrink.ts'
import { decodeJpeg } from './decode-jpeg.ts'
import { eraseJpeg } from './erase-jpeg.ts'
import { readJpegHeader } from './read-jpeg-header.ts'

/** Phones take 48 and 50 megapixels. Of a baseline JPEG, libjpeg holds only some rows, scaled down. */
const maxBaselinePixels = 50_000_000

/** Each scan of a progressive JPEG visits all pixels. */
const maxProgressivePixels = 12_500_000

/** libjpeg holds the coefficients of a JPEG with several scans until it has read the last one. */
const maxCoefficientBytes = 40_000_000

export const jpegFormat: PictureFormat = {
  name: 'JPEG',
  contentType: 'image/jpeg',
  matches: (start) => start[0] === 0xff && start[1] === 0xd8 && start[2] === 0xff,
  open: (bytes) => {
    const header = readJpegHeader(bytes)
    const { width, height, orientation, profile, coefficientBytes } = header
    return {
      width,
      height,
      orientation,
      ...(coefficientBytes > 0
        ? {
            kind: 'progressive JPEG',
            maxPixels: Math.min(maxProgressivePixels, (width * height * maxCoefficientBytes) / coefficientBytes),
          }
        : { kind: 'JPEG', maxPixels: maxBaselinePixels }),
      extractProfile: () => Promise.resolve(profile),
      // Up to 30 % smaller than asked for, where the decoder's own scaling comes close enough.
      decode: async (edge) => shrink(await decodeJpeg(bytes, header, Math.round(edge * 0.7)), edge),
    }
  },
  erase: eraseJpeg,
}
