import type { Picture } from '../picture.ts'
import type { ByteSource } from './read-bytes.ts'
import type { Orientation } from './orientation.ts'

export interface PictureFormat {
  readonly name: string
  readonly contentType: string
  /** True if a file that starts with these bytes (at least 12) is of this format. */
  matches(start: Uint8Array): boolean
  /** Reads the header without decoding. Throws `PictureError` for truncated or damaged files. */
  open(bytes: Uint8Array): StoredPicture
  /** Yields the file without metadata except the orientation, and without data after its end. */
  erase(source: ByteSource): AsyncGenerator<Uint8Array>
}

/** Header of a picture file. The picture may need rotation and may be transparent. */
export interface StoredPicture {
  /** The format, or the variant of it that has its own limits, such as `progressive JPEG`. */
  readonly kind: string
  /** In pixels, before the orientation is applied. */
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  /** Maximum number of pixels of this kind that fit into an isolate's memory. */
  readonly maxPixels: number
  /** Returns the embedded ICC profile. Empty if there is none or it is too long. */
  extractProfile(): Promise<Uint8Array>
  /** Decodes to at most `edge` pixels on the longest edge. Throws `PictureError`, also if the header was wrong. */
  decode(edge: number): Promise<Picture>
}
