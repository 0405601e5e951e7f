/** Upright RGBA pixels with 8 bits per channel, row by row from the top left, 4 * width * height bytes. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** Longest edge in pixels of the view that is analysed, as in training. More pixels cost time and gain little. */
export const viewEdge = 560

/** A position in pixels of a picture: x to the right, y down. Fractions lie between pixel centres. */
export type Point = readonly [x: number, y: number]

/** Edges in pixels. `right` and `bottom` are exclusive. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** A bit for each pixel, row by row: 1 where the garment is, 0 elsewhere. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The network is certain of cloth from `minCloth` on, and of background up to `maxBackground`. */
export const minCloth = 0.9
export const maxBackground = 0.1
