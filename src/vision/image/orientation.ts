import type { Picture } from '../picture.ts'

/** EXIF orientation: 1 is upright, 2 to 8 are other rotations and mirror images. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const orientationTag = 0x0112

/** Reads the orientation from a TIFF block (the content after `Exif\0\0`). Unreadable metadata counts as upright. */
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

const exifSignature = [0x45, 0x78, 0x69, 0x66, 0, 0] as const

const startsWithSignature = (block: Uint8Array) => exifSignature.every((byte, index) => block[index] === byte)

const tiffOf = (block: Uint8Array) => (startsWithSignature(block) ? block.subarray(exifSignature.length) : block)

function tiffBlock(orientation: Orientation): readonly number[] {
  return [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
}

export function keepOrientation(block: Uint8Array): readonly number[] | null {
  const orientation = readOrientation(tiffOf(block))
  if (orientation === 1) return null
  return startsWithSignature(block) ? [...exifSignature, ...tiffBlock(orientation)] : tiffBlock(orientation)
}

/** Clockwise degrees by which a picture is rotated after its EXIF orientation was applied. */
export type Rotation = 0 | 90 | 180 | 270

export const rotate = (picture: Picture, rotation: Rotation): Picture =>
  orient(picture, ({ 0: 1, 90: 6, 180: 3, 270: 8 } as const)[rotation])

export function orient(picture: Picture, orientation: Orientation): Picture {
  if (orientation === 1) return picture
  const { width, height } = picture
  const swaps = orientation >= 5
  const outWidth = swaps ? height : width
  const outHeight = swaps ? width : height
  const source = new Uint32Array(picture.data.buffer, picture.data.byteOffset, width * height)
  const target = new Uint32Array(outWidth * outHeight)
  const mirrorsX = orientation === 2 || orientation === 3 || orientation === 7 || orientation === 8
  const mirrorsY = orientation === 3 || orientation === 4 || orientation === 6 || orientation === 7
  for (let y = 0, out = 0; y < outHeight; y++) {
    for (let x = 0; x < outWidth; x++, out++) {
      const u = swaps ? y : x
      const v = swaps ? x : y
      target[out] = source[(mirrorsY ? height - 1 - v : v) * width + (mirrorsX ? width - 1 - u : u)]!
    }
  }
  return { width: outWidth, height: outHeight, data: new Uint8ClampedArray(target.buffer) }
}
