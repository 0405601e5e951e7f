import type { Vertex } from '../drawing/fill-polygon.ts'
import { curve, curveFrom, type Garment, type Rgb, straight } from './garment.ts'

export interface ShoeShape {
  readonly length: number
  readonly trimRgb: Rgb
}

/** Draws one shoe from the side with its toe to the right. y runs down from the top of the shaft. */
export function buildShoe({ length, trimRgb }: ShoeShape): Garment {
  const half = length / 2
  const upper: Vertex[] = [
    ...curveFrom([-half * 0.92, 0], [-half * 0.5, 2.5], [-half * 0.1, 0.4], 8),
    ...curve([-half * 0.1, 0.4], [half * 0.3, 5], [half * 0.65, 5.6], 8),
    ...curve([half * 0.65, 5.6], [half, 6.2], [half, 9], 8),
    [-half, 9],
  ]
  const sole: Vertex[] = [[-half, 8.4], ...curveFrom([half, 8.4], [half, 11], [half * 0.9, 11], 4), [-half * 0.95, 11]]
  return {
    parts: [
      { outline: upper, paint: 'cloth' },
      { outline: sole, paint: 'trim', tone: 0.9 },
    ],
    strokes: [0, 1, 2, 3].map((row) =>
      straight([half * (-0.05 + row * 0.13), 2.2 + row * 1.1], [half * (0.08 + row * 0.13), 1.4 + row * 1.1], {
        width: 0.5,
        tone: 1,
        rgb: trimRgb,
      }),
    ),
    discs: [],
    texture: 'smooth',
    closure: 'Lace-Up',
    measurements: { Length: length },
  }
}
