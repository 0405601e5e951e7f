import { PictureError } from '../picture-error.ts'
import { readJpegHeader } from './jpeg/read-jpeg-header.ts'
import type { Orientation } from './jpeg/read-orientation.ts'
import { readPngHeader } from './png/read-png-header.ts'
import { readWebpHeader } from './webp/read-webp-header.ts'
import { type PictureFormat, sniffFormat } from './sniff-format.ts'

export interface PictureHeader {
  readonly format: PictureFormat
  /** Pixels as stored, before the orientation is applied. */
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
}

/** Enough for a phone's 4032 x 3024; larger pictures could not be decoded within the memory of an isolate. */
export const MAX_PIXELS = 12_500_000

/** Reads format, size and orientation without decoding. Throws `PictureError` for unknown formats, excessive sizes and truncated files. */
export function readHeader(bytes: Uint8Array): PictureHeader {
  if (bytes.length === 0) throw new PictureError('The image is empty.')
  const format = sniffFormat(bytes)
  if (format === undefined) throw new PictureError('The image is not a JPEG, PNG or WebP file.')
  const header = { format, ...readers[format](bytes) }
  if (header.width < 1 || header.height < 1) throw new PictureError('The image has no pixels.')
  if (header.width * header.height > MAX_PIXELS) {
    const megapixels = ((header.width * header.height) / 1e6).toFixed(1)
    throw new PictureError(
      `The image has ${megapixels} megapixels (${header.width} x ${header.height}); at most 12.5 are allowed.`,
    )
  }
  return header
}

const readers = { jpeg: readJpegHeader, png: readPngHeader, webp: readWebpHeader }
