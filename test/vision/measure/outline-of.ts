import type { Point } from '../../../src/vision/picture.ts'
import { sortOutlines, traceOutlines } from '../../../src/vision/segment/trace-outline.ts'
import { cutRows, findAxis, type Silhouette, toPicture } from '../../../src/vision/measure/silhouette.ts'
import { fillPolygon, type Vertex } from '../../../training/flat-lay/drawing/fill-polygon.ts'

/** The silhouette of a mask of ones and zeros, as the tagger makes it. */
export function silhouetteOf(data: Uint8Array, width: number, height: number): Silhouette {
  const { outlines, holes } = sortOutlines(
    traceOutlines(
      data.map((value) => value * 255),
      width,
      height,
    ),
  )
  return cutRows(outlines[0] ?? [], findAxis({ width, height, data }), holes)
}

/** A mask with a filled polygon, in pixels. */
export function fillMask(polygon: readonly Vertex[], width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height)
  const cover = fillPolygon(polygon, width, height)
  cover.values.forEach((value, index) => {
    const row = cover.top + Math.floor(index / cover.width)
    mask[row * width + cover.left + (index % cover.width)] = value >= 0.5 ? 1 : 0
  })
  return mask
}

/** The silhouette of a filled polygon, cut off at the edges of the picture. */
export function silhouetteOfPolygon(polygon: readonly Vertex[], width: number, height: number): Silhouette {
  return silhouetteOf(fillMask(polygon, width, height), width, height)
}

/** How far, in pixels, a point of the garment's frame lies from where the polygon has it. */
export function errorAt({ axis }: Silhouette, [u, v]: Point, [x, y]: Vertex): number {
  const [foundX, foundY] = toPicture(axis, u, v)
  // Polygons have the pixels' corners at whole numbers, outlines their centres.
  return Math.hypot(foundX + 0.5 - x, foundY + 0.5 - y)
}
