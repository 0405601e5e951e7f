import { hasAscii } from '../ascii.ts'
import type { PictureFormat } from '../picture-format.ts'
import { decodeWebp } from './decode-webp.ts'
import { eraseWebp } from './erase-webp.ts'
import { readWebpHeader } from './read-webp-header.ts'

const maxLossyPixels = 12_500_000

/** libwebp holds a lossless picture at full size, four bytes a pixel. */
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
