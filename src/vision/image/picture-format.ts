import type { Picture } from '../picture.ts'
import type { ByteSource } from './read-bytes.ts'
import type { Orientation } from './orientation.ts'

/** What the folder of a format offers. */
export interface PictureFormat {
  /** As people write it: `JPEG`. */
  readonly name: string
  readonly contentType: string
  /** Whether a file that starts with these bytes, at least 12, is of this format. */
  matches(start: Uint8Array): boolean
  /** Reads the header, and decodes nothing. Throws `PictureError` for a file that is cut off or damaged. */
  open(bytes: Uint8Array): StoredPicture
  /** The file without its metadata except the orientation, and without what follows its end. */
  erase(source: ByteSource): AsyncGenerator<Uint8Array>
}

/** A picture as its file stores it: neither upright nor opaque. */
export interface StoredPicture {
  /** The format, or the kind of it that has limits of its own: `progressive JPEG`. */
  readonly kind: string
  /** In pixels, before the orientation is applied. */
  readonly width: number
  readonly height: number
  readonly orientation: Orientation
  /** More pixels of this kind could not be decoded within the memory of an isolate. */
  readonly maxPixels: number
  /** The ICC profile that the file embeds; empty without one, and for one that is longer than those that are read. */
  extractProfile(): Promise<Uint8Array>
  /**
   * Decodes to at most `edge` pixels on the longest edge. Throws `PictureError`, also where the decoder reads another
   * size than is given here.
   */
  decode(edge: number): Promise<Picture>
}
