import type { PictureFormat } from '../picture-format.ts'
import { decodePng } from './decode-png.ts'
import { erasePng } from './erase-png.ts'
import { inflateProfile } from './inflate-profile.ts'
import { readPngHeader } from './read-png-header.ts'

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

/** 16 bits with opacity are 100 MB to decompress. */
const maxPixels = 12_500_000

export const pngFormat: PictureFormat = {
  name: 'PNG',
  contentType: 'image/png',
  matches: (start) => signature.every((value, index) => start[index] === value),
  open: (bytes) => {
    const { width, height, orientation, profile } = readPngHeader(bytes)
    return {
      width,
      height,
      orientation,
      kind: 'PNG',
      maxPixels,
      extractProfile: async () => await inflateProfile(profile),
      decode: async (edge) => await decodePng(bytes, edge),
    }
  },
  erase: erasePng,
}
