/** 1 where the garment is, 0 elsewhere, row by row. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** What a pixel is before regions grow. */
export const unknown = 0
export const surelyBackground = 1
export const surelyCloth = 2
