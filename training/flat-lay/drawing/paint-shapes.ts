import { type Coverage, fillPolygon, type Vertex } from './fill-polygon.ts'
import { strokePolygons } from './stroke-polygons.ts'

/** A picture before development: red, green and blue levels (0 to 255) of each pixel, row by row. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly rgb: Float32Array
}

/** Computes the new level of a channel from the level below. */
export type Ink = (below: number, channel: number) => number

/**
 * Paints a line.
 * @param clip area to which the line is clipped
 * @param dash length of dashes and gaps in pixels
 */
export function paintLine(
  canvas: Canvas,
  line: readonly Vertex[],
  width: number,
  ink: Ink,
  clip?: Coverage,
  dash?: number,
) {
  for (const polygon of strokePolygons(line, width, dash)) {
    eachPixel(fillPolygon(polygon, canvas.width, canvas.height), canvas.width, (index, value) =>
      blend(canvas, index, value * coverAt(clip, index, canvas.width), ink),
    )
  }
}

export function paintDisc(canvas: Canvas, [x, y]: Vertex, radius: number, ink: Ink) {
  const polygon = Array.from(
    { length: 20 },
    (_, step) => [x + radius * Math.cos(step * 0.31416), y + radius * Math.sin(step * 0.31416)] as const,
  )
  eachPixel(fillPolygon(polygon, canvas.width, canvas.height), canvas.width, (index, value) =>
    blend(canvas, index, value, ink),
  )
}

function blend({ rgb }: Canvas, index: number, value: number, ink: Ink) {
  for (let channel = 0; channel < 3; channel++) {
    const at = index * 3 + channel
    rgb[at] = rgb[at]! * (1 - value) + ink(rgb[at]!, channel) * value
  }
}

function coverAt(clip: Coverage | undefined, index: number, pictureWidth: number): number {
  if (clip === undefined) return 1
  const x = (index % pictureWidth) - clip.left
  const y = Math.floor(index / pictureWidth) - clip.top
  return x < 0 || y < 0 || x >= clip.width || y >= clip.height ? 0 : clip.values[y * clip.width + x]!
}

export function eachPixel(cover: Coverage, pictureWidth: number, visit: (index: number, value: number) => void) {
  for (let row = 0, at = 0; row < cover.height; row++) {
    for (let column = 0; column < cover.width; column++, at++) {
      const value = cover.values[at]!
      if (value > 0) visit((cover.top + row) * pictureWidth + cover.left + column, value)
    }
  }
}
