import { PictureError } from '../picture-error.ts'
import { type JpegHeader, readJpegHeader } from './jpeg/read-jpeg-header.ts'
import { type PngHeader, readPngHeader } from './png/read-png-header.ts'
import { sniffFormat } from './sniff-format.ts'
import { readWebpHeader, type WebpHeader } from './webp/read-webp-header.ts'

/** Width and height are pixels as stored, before the orientation is applied. */
export type PictureHeader =
  | ({ readonly format: 'jpeg' } & JpegHeader)
  | ({ readonly format: 'png' } & PngHeader)
  | ({ readonly format: 'webp' } & WebpHeader)

/** Enough for a phone's 4032 x 3024; larger pictures could not be decoded within the memory of an isolate. */
const maxPixels = 12_500_000

/** A row of pixels is held at full size. */
const maxEdge = 20_000

/** libwebp holds a lossless picture at full size, four bytes a pixel. */
const maxLosslessWebpPixels = 6_250_000

/** libjpeg holds the coefficients of a JPEG with several scans until it has read the last one. */
const maxCoefficientBytes = 40_000_000

/**
 * Reads format, size and orientation without decoding. Throws `PictureError` for other formats, for files that are cut
 * off or damaged, and for pictures that would need too much memory.
 */
export function readHeader(bytes: Uint8Array): PictureHeader {
  if (bytes.length === 0) throw new PictureError('picture_empty')
  const header = readFormat(bytes)
  const { width, height } = header
  if (width < 1 || height < 1) throw new PictureError('no_pixels')
  const size = { width, height, megapixels: toMegapixels(width * height) }
  if (width * height > maxPixels)
    throw new PictureError('too_many_megapixels', { ...size, max: String(maxPixels / 1e6) })
  if (Math.max(width, height) > maxEdge) throw new PictureError('edge_too_long', { width, height, max: maxEdge })
  if (header.format === 'webp' && header.isLossless && width * height > maxLosslessWebpPixels)
    throw new PictureError('lossless_webp_too_large', { ...size, max: String(maxLosslessWebpPixels / 1e6) })
  if (header.format === 'jpeg' && header.coefficientBytes > maxCoefficientBytes)
    throw new PictureError('progressive_jpeg_too_large', {
      ...size,
      max: toMegapixels((width * height * maxCoefficientBytes) / header.coefficientBytes),
    })
  return header
}

function readFormat(bytes: Uint8Array): PictureHeader {
  const format = sniffFormat(bytes)
  if (format === 'jpeg') return { format, ...readJpegHeader(bytes) }
  if (format === 'png') return { format, ...readPngHeader(bytes) }
  if (format === 'webp') return { format, ...readWebpHeader(bytes) }
  throw new PictureError('unknown_format')
}

/** Megapixels with one decimal. */
function toMegapixels(pixels: number): string {
  return (pixels / 1e6).toFixed(1)
}
