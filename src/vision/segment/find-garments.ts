import type { Box, Mask } from '../picture.ts'
import { findParts } from './label-regions.ts'

/** Parts of at least this share of the largest part are garments, or the second shoe. */
const minGarment = 0.25

const coarseEdge = 100

/** Erosion relative to the longer side of the mask's box. The model card has the error rates. */
const erosion = 0.04

/** Returns the boxes of garments, largest first. `mayTouch` separates touching garments by eroding the mask. */
export function findGarments(mask: Mask, mayTouch: boolean): Box[] {
  const parts = findParts(mask, minGarment)
  const [part] = parts
  if (!mayTouch || part === undefined || parts.length > 1) return parts
  const cores = findCores(mask, part)
  return cores.length > 1 ? cores : parts
}

/** Returns the boxes of an eroded mask's parts, grown by the erosion. */
function findCores(mask: Mask, { left, top, right, bottom }: Box): Box[] {
  const step = Math.ceil(Math.max(right - left, bottom - top) / coarseEdge)
  const [width, height] = [Math.ceil((right - left) / step), Math.ceil((bottom - top) / step)]
  const data = new Uint8Array(width * height)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at++) data[at] = mask.data[(top + y * step) * mask.width + left + x * step]!
  const reach = Math.max(1, Math.round(erosion * Math.max(width, height)))
  return findParts(erode({ width, height, data }, reach), minGarment).map((core) => ({
    left: left + Math.max(0, core.left - reach) * step,
    top: top + Math.max(0, core.top - reach) * step,
    right: Math.min(right, left + (core.right + reach) * step),
    bottom: Math.min(bottom, top + (core.bottom + reach) * step),
  }))
}

/** Keeps the pixels whose square of `2 * reach + 1` pixels lies entirely in the mask. */
function erode({ width, height, data }: Mask, reach: number): Mask {
  const keepRuns = (from: Uint8Array, step: number, length: number, lines: number, lineStep: number) => {
    const out = new Uint8Array(from.length)
    for (let line = 0; line < lines; line++)
      for (let place = 0, run = 0; place < length; place++) {
        run = from[line * lineStep + place * step] === 1 ? run + 1 : 0
        if (run > 2 * reach) out[line * lineStep + (place - reach) * step] = 1
      }
    return out
  }
  return { width, height, data: keepRuns(keepRuns(data, 1, width, height, width), width, height, width, 1) }
}
