import type { Picture } from '../../src/vision/picture.ts'
import type { Gender } from '../../src/vision/taxonomy/item.ts'
import type { Garment, Rgb } from './garments/garment.ts'

export type Pattern = 'Plain' | 'Striped' | 'Checked' | 'Dotted' | 'Printed'

export type Background = 'white' | 'off-white' | 'grey' | 'coloured' | 'gradient'

export interface FlatLaySpec {
  readonly seed: number
  readonly itemType: string
  readonly gender: Gender
  readonly garment: Garment
  readonly colour: string
  readonly rgb: Rgb
  readonly pattern: Pattern
  readonly secondRgb: Rgb
  readonly background: Background
  readonly backgroundRgb: Rgb
  /** Brightness difference between opposite sides of the picture, 0 to 0.15. */
  readonly gradient: number
  /** Darkness of the shadow, 0 to 0.5. */
  readonly shadow: number
  readonly rotationDegrees: number
  readonly hook: boolean
  /** Standard deviation of sensor noise in levels (0 to 255). */
  readonly noise: number
  readonly width: number
  readonly height: number
}

export interface FlatLayTruth extends Pick<FlatLaySpec, 'itemType' | 'gender' | 'colour' | 'pattern'> {
  readonly closure: string
  readonly measurements: Readonly<Record<string, number>>
  readonly cmPerPixel: number
  /** 1 where the garment is, 0 elsewhere, row by row. */
  readonly mask: Uint8Array
}

export interface FlatLay {
  readonly spec: FlatLaySpec
  readonly picture: Picture
  readonly truth: FlatLayTruth
}
