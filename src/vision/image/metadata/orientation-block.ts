import { type Orientation, readOrientation } from '../read-orientation.ts'

const exifSignature = [0x45, 0x78, 0x69, 0x66, 0, 0] as const

const startsWithSignature = (block: Uint8Array) => exifSignature.every((byte, index) => block[index] === byte)

/** The TIFF block in EXIF metadata, which some formats begin with `Exif\0\0`. */
const tiffOf = (block: Uint8Array) => (startsWithSignature(block) ? block.subarray(exifSignature.length) : block)

/** A TIFF block that has an orientation and nothing else: one directory with one entry. */
function tiffBlock(orientation: Orientation): readonly number[] {
  return [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
}

/** EXIF metadata of which only the orientation is left; null for a picture that is upright without it. */
export function keepOrientation(block: Uint8Array): readonly number[] | null {
  const orientation = readOrientation(tiffOf(block))
  if (orientation === 1) return null
  return startsWithSignature(block) ? [...exifSignature, ...tiffBlock(orientation)] : tiffBlock(orientation)
}
