/** An upright picture, 8 bits a channel, RGBA, row by row from the top left: `data.length === width * height * 4`. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** A picture is analysed at this size at most, as in training: finer pixels cost time and add little. */
export const viewEdge = 560

/** A place in a picture in its own pixels, x to the right and y down; fractions are places between pixel centres. */
export type Point = readonly [x: number, y: number]

/** Edges in pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** 1 where the garment is, 0 elsewhere, row by row. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** From these probabilities of garment on, the network's map is certain. */
export const minCloth = 0.9
export const maxBackground = 0.1
