import type { Picture } from '../picture.ts'
import type { ByteSource } from './read-bytes.ts'
import type { Orientation } from './orientation.ts'

export interface PictureFormat {
  readonly name: string
  readonly contentType: string
  /** Whether a file with these first bytes, at least 12, is of this format. */
  matches(start: Uint8Array): boolean
  /** Reads the header without decoding. Throws `PictureError` for damaged files. */
  open(bytes: Uint8Array): StoredPicture
  /** Yields the file without metadata except the orientation, and without data after its end. */
  erase(source: ByteSource): AsyncGenerator<Uint8Array>
}

export interface StoredPicture {
  /** The format, or a variant of the format with its own limits, such as `progressive JPEG`. */
  readonly kind: string
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  /** Maximum number of pixels that fit into an isolate's memory. */
  readonly maxPixels: number
  extractProfile(): Promise<Uint8Array>
  /** Decodes to at most `edge` pixels on the longest edge. Throws `PictureError`. */
  decode(edge: number): Promise<Picture>
}
