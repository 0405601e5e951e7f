import { labelRegions } from './label-regions.ts'
import { BACKGROUND, UNKNOWN } from './region-labels.ts'

/** Of the picture; smaller patches are prints, not the ground. */
const ENCLOSED_SHARE = 0.004

/** What lies around such a patch differs by this many levels: white cloth on white ground has brighter parts without a rim. */
const LEAST_RIM = 36

/** Pixels within which the rim is looked for: a handle's own shadow lies before it. */
const RIM_REACH = 8

/** Large patches of the background's colour inside the garment: they may be seen through a handle, which shape decides. */
export function markEnclosed(near: Uint8Array, stray: Uint8Array, labels: Uint8Array, width: number, height: number) {
  const enclosed = near.map((value, index) => (value === 1 && labels[index] === UNKNOWN ? 1 : 0))
  const { regions, labels: ids } = labelRegions(enclosed, 1, width, height)
  const large = regions.map(({ area }, id) => id > 0 && area > ENCLOSED_SHARE * near.length)
  const rim = rimContrast(large, ids, stray, width, height)
  for (let index = 0; index < near.length; index++) {
    const id = ids[index]!
    if (large[id] === true && rim[id]! >= LEAST_RIM) labels[index] = BACKGROUND
  }
}

/** By patch, how far on average the colour just outside of it lies from the background's. */
function rimContrast(
  large: readonly boolean[],
  ids: Int32Array,
  stray: Uint8Array,
  width: number,
  height: number,
): number[] {
  const sums = large.map(() => 0)
  const counts = large.map(() => 0)
  for (let y = RIM_REACH; y < height - RIM_REACH; y++) {
    for (let x = RIM_REACH; x < width - RIM_REACH; x++) {
      const index = y * width + x
      const id = ids[index]!
      if (large[id] !== true) continue
      for (const step of [-1, 1, -width, width]) {
        // A speck of noise inside the patch is no rim.
        if (ids[index + step] === id || ids[index + step * 3] === id || ids[index + step * 4] === id) continue
        let most = 0
        for (let away = 2; away <= RIM_REACH; away++) most = Math.max(most, stray[index + step * away]!)
        sums[id] = sums[id]! + most
        counts[id] = counts[id]! + 1
      }
    }
  }
  return sums.map((sum, id) => sum / Math.max(1, counts[id]!))
}
