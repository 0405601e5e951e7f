import type { Picture, Point } from '../../picture.ts'
import { toPicture } from '../../shape/find-axis.ts'
import type { Shape } from '../../shape/read-shape.ts'
import { extent, runsAt } from '../../shape/silhouette.ts'

/** The part of a garment on which details are looked for, in the garment's frame (pixels of the view). */
export interface BodyFrame {
  /** Half the chest's, hip's or body's width. */
  readonly half: number
  readonly top: number
  readonly bottom: number
  /** From the garment's frame to the working picture, which is finer than the view. */
  readonly place: (u: number, v: number) => Point
  readonly picture: Picture
  /** Pixels of the working picture to one of the view. */
  readonly factor: number
}

export function bodyFrame(picture: Picture, factor: number, shape: Shape): BodyFrame {
  const { silhouette, top: layout, crotch } = shape
  const { axis, top, height } = silhouette
  const lengthOf = (name: string) => layout.lines.find((line) => line.name === name)
  const length = lengthOf('Body Length')
  const chest = lengthOf('Chest')
  const widest = extent(runsAt(silhouette, crotch === undefined ? top + height * 0.6 : crotch.v - 3))
  const width =
    shape.armpits !== undefined && chest !== undefined
      ? chest.to[0] - chest.from[0]
      : (widest?.right ?? 1) - (widest?.left ?? 0)
  return {
    half: Math.max(4, width / 2),
    top: length?.from[1] ?? top,
    bottom: Math.max(top + 8, length?.to[1] ?? top + height),
    place: (u, v) => {
      const [x, y] = toPicture(axis, u, v)
      return [x * factor + (factor - 1) / 2, y * factor + (factor - 1) / 2]
    },
    picture,
    factor,
  }
}

/** Brightness (0 to 255) on a grid of the frame, row by row, blended from the four nearest pixels. */
export function sampleLuma(
  { picture, place }: BodyFrame,
  left: number,
  top: number,
  step: number,
  columns: number,
  rows: number,
): Float32Array {
  const { width, height, data } = picture
  const values = new Float32Array(columns * rows)
  // The frame is turned but not bent: one step right and one step down are the same everywhere.
  const [x0, y0] = place(left, top)
  const [xr, yr] = place(left + step, top)
  const [xd, yd] = place(left, top + step)
  for (let row = 0, index = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, index++) {
      const x = Math.max(0, Math.min(width - 1.001, x0 + column * (xr - x0) + row * (xd - x0)))
      const y = Math.max(0, Math.min(height - 1.001, y0 + column * (yr - y0) + row * (yd - y0)))
      const at = ((y | 0) * width + (x | 0)) * 4
      const fx = x - (x | 0)
      const fy = y - (y | 0)
      const below = at + width * 4
      const upper = luma(data, at) * (1 - fx) + luma(data, at + 4) * fx
      const lower = luma(data, below) * (1 - fx) + luma(data, below + 4) * fx
      values[index] = upper * (1 - fy) + lower * fy
    }
  }
  return values
}

function luma(data: Uint8ClampedArray, at: number): number {
  return 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!
}
