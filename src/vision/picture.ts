/** Upright RGBA pixels with 8 bits per channel, row by row from the top left, 4 * width * height bytes. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** Longest edge in pixels of the analysed view, as in training. */
export const viewEdge = 560

/** A position in pixels, x to the right and y down. Whole numbers are pixel centres. */
export type Point = readonly [x: number, y: number]

/** Edges in pixels. `right` and `bottom` are exclusive. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** One byte per pixel, row by row: 1 for garment, else 0. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The network is certain of cloth from `minCloth` on, and of background up to `maxBackground`. */
export const minCloth = 0.9
export const maxBackground = 0.1
