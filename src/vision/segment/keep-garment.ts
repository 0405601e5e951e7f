import { labelRegions, type Region } from './label-regions.ts'
import type { Mask } from './mask.ts'

/** Holes smaller than this many pixels are buttons and specks. */
const LEAST_HOLE = 30

/**
 * Of all regions of cloth keeps the main one (large and central) and fills its holes, but for what a bag's handle spans
 * and, where the cloth has no colour of the ground (`isDistinct`), for long gaps that show it, as between arm and body.
 */
export function keepGarment({ width, height, data }: Mask, foreign: Uint8Array, isDistinct: boolean): Mask {
  const { regions, labels } = labelRegions(data, 1, width, height)
  const main = regions.reduce(
    (best, region, index) =>
      index > 0 && score(region, width, height) > score(regions[best]!, width, height) ? index : best,
    1,
  )
  const kept = new Uint8Array(data.length)
  if (regions[main] === undefined) return { width, height, data: kept }
  const box = regions[main]
  for (let index = 0; index < data.length; index++) kept[index] = labels[index] === main ? 1 : 0
  const holes = labelRegions(kept, 0, width, height)
  const open = holes.regions.map((hole, id) => {
    if (id === 0) return false
    if (hole.touchesBorder || isHandleHole(hole, id, box, holes.labels, kept, foreign, width)) return true
    const length = Math.hypot(hole.right - hole.left, hole.bottom - hole.top)
    return isDistinct && hole.area >= LEAST_HOLE && length * length > 8 * hole.area
  })
  for (let index = 0; index < data.length; index++)
    if (kept[index] === 0 && !open[holes.labels[index]!]) kept[index] = 1
  return { width, height, data: kept }
}

function score(region: Region | undefined, width: number, height: number): number {
  if (region === undefined) return 0
  const offset = Math.hypot((region.left + region.right) / width - 1, (region.top + region.bottom) / height - 1)
  return region.area * (1.2 - Math.min(1, offset))
}

/** A large hole that shows the background or its shadow, in the upper part, and that takes most of its rows. */
function isHandleHole(
  hole: Region,
  id: number,
  box: Region,
  labels: Int32Array,
  kept: Uint8Array,
  foreign: Uint8Array,
  width: number,
): boolean {
  if (hole.area < 0.015 * (box.right - box.left) * (box.bottom - box.top)) return false
  const row = Math.round((hole.top + hole.bottom) / 2)
  if (row > box.top + (box.bottom - box.top) * 0.5) return false
  let [inHole, inCloth, ground] = [0, 0, 0]
  for (let x = box.left; x <= box.right; x++) {
    const index = row * width + x
    if (labels[index] === id) inHole++
    if (labels[index] === id && foreign[index] === 0) ground++
    if (kept[index] === 1) inCloth++
  }
  return inHole > 1.2 * inCloth && ground > 0.5 * inHole
}
