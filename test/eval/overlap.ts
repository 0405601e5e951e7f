import type { Point } from '../../src/vision/picture.ts'
import { fillPolygon } from '../../training/flat-lay/drawing/fill-polygon.ts'

/**
 * Intersection over union of outlines with holes and the true mask, in the original's pixels.
 * @param scale pixels of the original to one of the picture that the outlines were found in
 */
export function overlap(
  outlines: readonly (readonly Point[])[],
  holes: readonly (readonly Point[])[],
  scale: number,
  truth: Uint8Array,
  width: number,
  height: number,
): number {
  const seen = new Uint8Array(width * height)
  const fill = (line: readonly Point[], value: number) => {
    // A pixel's centre is at a whole number for the tagger and at a half for the polygon filler.
    const cover = fillPolygon(
      line.map(([x, y]) => [(x + 0.5) * scale, (y + 0.5) * scale] as const),
      width,
      height,
    )
    for (let row = 0; row < cover.height; row++) {
      for (let column = 0; column < cover.width; column++) {
        if (cover.values[row * cover.width + column]! >= 0.5)
          seen[(cover.top + row) * width + cover.left + column] = value
      }
    }
  }
  for (const outline of outlines) fill(outline, 1)
  for (const hole of holes) fill(hole, 0)
  let both = 0
  let either = 0
  for (let index = 0; index < seen.length; index++) {
    both += seen[index]! & truth[index]!
    either += seen[index]! | truth[index]!
  }
  return either === 0 ? 0 : both / either
}
