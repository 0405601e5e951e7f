import type { Picture, Point } from '../picture.ts'
import { drawPolyline, type Ink } from './canvas.ts'
import { glyphTable } from './glyphs.ts'

/** Grid units from one glyph to the next, and of the narrow ones. */
const glyphAdvance = 5.6
const narrowAdvances: Readonly<Record<string, number>> = {
  ' ': 3.4,
  i: 3,
  l: 3,
  '.': 2.6,
  ',': 2.6,
  "'": 2.6,
  I: 4.6,
  1: 5,
  t: 4.6,
  f: 4.6,
  j: 3.6,
  r: 5,
  '-': 4.6,
}

/** Width of a text in pixels; `size` is the height of a capital. */
export function textWidth(text: string, size: number): number {
  return ([...text].reduce((sum, letter) => sum + (narrowAdvances[letter] ?? glyphAdvance), 0) - 1.6) * (size / 6)
}

/** Draws a text with the top left of its capitals at `at`; letters without a glyph leave a gap. */
export function drawText(picture: Picture, text: string, [left, top]: Point, size: number, ink: Ink) {
  const unit = size / 6
  let x = left
  for (const letter of text) {
    const advance = narrowAdvances[letter] ?? glyphAdvance
    const inset = advance < glyphAdvance ? (advance - glyphAdvance) / 2 : 0
    for (const stroke of glyphTable[letter] ?? []) {
      const points: Point[] = []
      for (let index = 0; index + 1 < stroke.length; index += 2) {
        points.push([x + (Number(stroke[index]) + inset) * unit, top + Number(stroke[index + 1]) * unit])
      }
      drawPolyline(picture, points, Math.max(1.15, unit * 0.95), ink)
    }
    x += advance * unit
  }
}
