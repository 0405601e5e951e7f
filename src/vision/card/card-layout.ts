import type { Point } from '../picture.ts'

/** Four corners, clockwise. */
export type Quad = readonly [Point, Point, Point, Point]

/**
 * The printed card: six square markers of the ArUco family 4 x 4 (`DICT_4X4_50` of OpenCV, predefined_dictionaries.hpp,
 * Apache-2.0), in two columns with a ruler between them. All lengths are centimetres from the middle of the page, x to
 * the right and y down. Both papers carry the same markers, so a picture need not tell which one it shows.
 */
interface Marker {
  /** 4 x 4 bits, row by row from the most significant; 1 is white. A black frame one cell wide is around them. */
  readonly code: number
  /** Upper left corner of the frame. */
  readonly left: number
  readonly top: number
}

/** Cells along an edge, with the frame. */
export const cellsOfMarker = 6

/** The largest that leaves more than one white cell around each marker on both papers. */
export const markerSide = 6.6

/** Numbers 0, 7, 13, 18, 20 and 23: the six of the first 50 that differ most, by 6 bits in any rotation or mirrored. */
const codes = [0xb532, 0xc4f2, 0x2a0f, 0x6c5e, 0x868b, 0xdd82]

const columns = [-8.9, 2.3]
const rows = [-12.4, -4, 4.4]

export const markers: readonly Marker[] = codes.map((code, index) => ({
  code,
  left: columns[index % columns.length]!,
  top: rows[Math.floor(index / columns.length)]!,
}))

/** From the upper left. */
export const cornersOfMarker = ({ left, top }: Marker): Quad => cornersOf(left, top, markerSide, markerSide)

/** Corners of the smallest page that contains both papers. */
export const cornersOfPage = cornersOf(-10.8, -14.85, 21.6, 29.7)

function cornersOf(left: number, top: number, width: number, height: number): Quad {
  return [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ]
}
