/** 1 where the garment is, 0 elsewhere, row by row. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** From these probabilities of garment on, the network's map is certain. */
export const minCloth = 0.9
export const maxBackground = 0.1

/** Labels of pixels before regions grow. */
export const unknown = 0
export const surelyBackground = 1
export const surelyCloth = 2
