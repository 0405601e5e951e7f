/** 1 where the garment is, 0 elsewhere, row by row. */
export interface Mask {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}
