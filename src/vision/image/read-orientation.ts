/** EXIF orientation: 1 is upright, 2 to 8 are the seven other combinations of rotation and mirroring. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const orientationTag = 0x0112

/**
 * Reads the orientation from a TIFF block (what follows `Exif\0\0`). Unreadable metadata counts as upright: it is no
 * reason to refuse a picture.
 */
export function readOrientation(tiff: Uint8Array): Orientation {
  if (tiff.length < 14) return 1
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const littleEndian = view.getUint16(0) === 0x4949
  if (!littleEndian && view.getUint16(0) !== 0x4d4d) return 1
  const directory = view.getUint32(4, littleEndian)
  if (directory + 2 > tiff.length) return 1
  const entries = view.getUint16(directory, littleEndian)
  for (let entry = 0; entry < entries; entry++) {
    const offset = directory + 2 + entry * 12
    if (offset + 12 > tiff.length) return 1
    if (view.getUint16(offset, littleEndian) === orientationTag)
      return toOrientation(view.getUint16(offset + 8, littleEndian))
  }
  return 1
}

function toOrientation(value: number): Orientation {
  return value >= 1 && value <= 8 ? (value as Orientation) : 1
}
