import { traceOutlines } from '../../../src/vision/segment/trace-outline.ts'
import { findAxis } from '../../../src/vision/shape/find-axis.ts'
import { cutRows, type Silhouette } from '../../../src/vision/shape/silhouette.ts'
import { fillPolygon, type Vertex } from '../../../src/vision/training/flat-lay/drawing/fill-polygon.ts'

/** The silhouette of a mask of ones and zeros, as the tagger makes it. */
export function silhouetteOf(data: Uint8Array, width: number, height: number): Silhouette {
  const [outline = []] = traceOutlines(
    data.map((value) => value * 255),
    width,
    height,
  )
  return cutRows(outline, findAxis({ width, height, data }))
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
