import type { Point } from '../picture.ts'

export type Quad = readonly [Point, Point, Point, Point]

/**
 * A marker of the printed card: ArUco 4 x 4 (`DICT_4X4_50` of OpenCV, Apache-2.0). Lengths are centimetres from the
 * centre of the page, x to the right and y down. A4 and Letter pages carry the same markers.
 */
interface Marker {
  /** 4 x 4 bits, row by row from the most significant, 1 for white. A black frame one cell wide surrounds them. */
  readonly code: number
  readonly left: number
  readonly top: number
}

export const cellsOfMarker = 6

/** Largest side in cm that leaves more than one white cell around each marker on both paper sizes. */
export const markerSide = 6.6

/** Markers 0, 7, 13, 18, 20 and 23, which differ from each other by at least 6 bits in any rotation or mirror image. */
const codes = [0xb532, 0xc4f2, 0x2a0f, 0x6c5e, 0x868b, 0xdd82]

const columns = [-8.9, 2.3]
const rows = [-12.4, -4, 4.4]

export const markers: readonly Marker[] = codes.map((code, index) => ({
  code,
  left: columns[index % columns.length]!,
  top: rows[Math.floor(index / columns.length)]!,
}))

export const cornersOfMarker = ({ left, top }: Marker): Quad => cornersOf(left, top, markerSide, markerSide)

/** Corners of the smallest page that contains both paper sizes. */
export const cornersOfPage = cornersOf(-10.8, -14.85, 21.6, 29.7)

function cornersOf(left: number, top: number, width: number, height: number): Quad {
  return [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ]
}
