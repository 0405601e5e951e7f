interface Size {
  readonly width: number
  readonly height: number
}

interface PixelLimit extends Size {
  readonly kind: string
  readonly megapixels: string
  readonly max: string
}

interface Format {
  readonly format: string
}

interface Formats {
  readonly formats: string
}

interface Limit {
  readonly max: number
}

const file = (format: string) => `${/^[AEIS]/.test(format) ? 'an' : 'a'} ${format} file`

/** Sentences for the client by code. Codes are stored and sent, so they never change. */
export const pictureSentences = {
  image_empty: () => 'The image is empty.',
  unknown_format: ({ formats }: Formats) => `The image is not a ${formats} file.`,
  unsupported_format: ({ format, formats }: Format & Formats) =>
    `The image is ${file(format)}, which is not supported; save it as ${formats}.`,
  web_page: ({ formats }: Formats) => `The image is not a ${formats} file, but a web page.`,
  no_pixels: () => 'The image has no pixels.',
  too_many_megapixels: ({ kind, megapixels, width, height, max }: PixelLimit) =>
    `The ${kind} image has ${megapixels} megapixels (${width} x ${height}); at most ${max} are allowed in this format.${kind === 'JPEG' ? '' : ' It can be larger as a baseline JPEG.'}`,
  edge_too_long: ({ width, height, max }: Size & Limit) =>
    `The image is ${width} x ${height} pixels; at most ${max} on each edge are allowed.`,
  too_small: ({ width, height, min }: Size & { readonly min: number }) =>
    `The image is too small to tell a garment (${width} x ${height} pixels); at least ${min} on each edge are needed.`,
  unsupported_jpeg: () => 'Only baseline and progressive JPEG images of 8 bits are supported; save it as one of these.',
  animated_webp: () => 'Animated WebP images are not supported; save one of its pictures.',
  cut_off: ({ format }: Format) => `The ${format} image is cut off before its end.`,
  damaged: ({ format }: Format) => `The ${format} image is damaged and cannot be decoded.`,
  damaged_header: ({ format }: Format) => `The ${format} image is damaged: its header cannot be read.`,
  damaged_chunk: () => 'The PNG image is damaged: a chunk has a wrong size.',
  palette_missing: () => 'The PNG image is damaged: its palette is missing.',
  size_missing: () => 'The JPEG image is damaged: its size is missing.',
  no_scan: () => 'The JPEG image holds no picture.',
  too_many_chunks: ({ format, max }: Format & Limit) => `The ${format} image has more than ${max} chunks.`,
  too_many_segments: ({ max }: Limit) => `The JPEG image has more than ${max} marker segments.`,
  too_many_scans: ({ max }: Limit) => `The JPEG image has more than ${max} scans.`,
  no_garment: () => 'No garment found in the image.',
}

type PictureCode = keyof typeof pictureSentences

/** A picture that cannot be tagged, however often it is tried. `message` is for the client. */
export class PictureError<Code extends PictureCode = PictureCode> extends Error {
  override name = 'PictureError'
  readonly code: Code
  readonly params: object

  constructor(code: Code, ...params: Parameters<(typeof pictureSentences)[Code]>) {
    const sentence = pictureSentences[code] as (...params: readonly object[]) => string
    super(sentence(...params))
    this.code = code
    this.params = params[0] ?? {}
  }
}
