import type { Picture } from '../../tagger.ts'
import { labelRegions } from './label-regions.ts'
import { backgroundRow, type BackgroundModel } from './fit-background.ts'

/** What a pixel is before regions grow. */
export const UNKNOWN = 0
export const GROUND = 1
export const CLOTH = 2

/** Of the picture; smaller patches are prints, not the ground. */
const ENCLOSED_SHARE = 0.004

/** What lies around such a patch differs by this many levels: white cloth on white ground has brighter parts without a rim. */
const LEAST_RIM = 36

/** Pixels within which the rim is looked for: a handle's own shadow lies before it. */
const RIM_REACH = 8

export interface Seeds {
  readonly labels: Uint8Array
  /** Colour step to the neighbours, 0 to 255. */
  readonly gradient: Uint8Array
  /** 1 where no shadow on this background could give the colour. */
  readonly foreign: Uint8Array
}

/**
 * Marks what surely is background (its colour, joined to the border) and what surely is cloth: colours that no shadow on
 * this background can have, and the inside of what stands off. Shadows and edges stay unknown.
 */
export function markSeeds(picture: Picture, model: BackgroundModel): Seeds {
  const { width, height, data } = picture
  const size = width * height
  const near = new Uint8Array(size)
  const foreign = new Uint8Array(size)
  const stray = new Uint8Array(size)
  const row = new Float32Array(width * 3)
  const tolerance = Math.max(3, model.noise * 3.2)
  const chromaTolerance = Math.max(7, model.noise * 4.5)
  for (let y = 0, index = 0; y < height; y++) {
    backgroundRow(model, y, width, height, row)
    for (let x = 0; x < width; x++, index++) {
      const dr = data[index * 4]! - row[x * 3]!
      const dg = data[index * 4 + 1]! - row[x * 3 + 1]!
      const db = data[index * 4 + 2]! - row[x * 3 + 2]!
      stray[index] = Math.min(255, Math.max(Math.abs(dr), Math.abs(dg), Math.abs(db)))
      if (Math.abs(dr) <= tolerance && Math.abs(dg) <= tolerance && Math.abs(db) <= tolerance) {
        near[index] = 1
        continue
      }
      // A shadow scales all channels alike: what is left after the scaling is a change of hue.
      const ground = 0.3 * row[x * 3]! + 0.6 * row[x * 3 + 1]! + 0.1 * row[x * 3 + 2]!
      const scale = 1 + (0.3 * dr + 0.6 * dg + 0.1 * db) / Math.max(1, ground)
      const hue = Math.max(
        Math.abs(dr - (scale - 1) * row[x * 3]!),
        Math.abs(dg - (scale - 1) * row[x * 3 + 1]!),
        Math.abs(db - (scale - 1) * row[x * 3 + 2]!),
      )
      if (hue > chromaTolerance || scale < 0.42 || scale > 1 + Math.max(0.03, tolerance / Math.max(40, ground)))
        foreign[index] = 1
    }
  }
  const labels = new Uint8Array(size)
  floodGround(near, labels, width, height)
  markEnclosed(near, stray, labels, width, height)
  const depth = distanceTo(labels, width, height)
  let deepest = 0
  for (let index = 0; index < size; index++) deepest = Math.max(deepest, depth[index]!)
  const inside = Math.max(15, deepest * 0.3)
  for (let index = 0; index < size; index++) {
    if (
      labels[index] === UNKNOWN &&
      ((foreign[index] === 1 && depth[index]! >= 6) || (depth[index]! >= inside && deepest >= 12))
    )
      labels[index] = CLOTH
  }
  return { labels, gradient: gradientOf(picture), foreign }
}

/** Marks as ground what is near and joined to the border by its edges. */
function floodGround(near: Uint8Array, labels: Uint8Array, width: number, height: number) {
  const stack = new Int32Array(width * height)
  let top = 0
  const push = (index: number) => {
    if (near[index] === 1 && labels[index] === UNKNOWN) {
      labels[index] = GROUND
      stack[top++] = index
    }
  }
  for (let x = 0; x < width; x++) {
    push(x)
    push((height - 1) * width + x)
  }
  for (let y = 0; y < height; y++) {
    push(y * width)
    push(y * width + width - 1)
  }
  while (top > 0) {
    const index = stack[--top]!
    const x = index % width
    if (x > 0) push(index - 1)
    if (x < width - 1) push(index + 1)
    if (index >= width) push(index - width)
    if (index < labels.length - width) push(index + width)
  }
}

/** Large patches of the background's colour inside the garment: they may be seen through a handle, which shape decides. */
function markEnclosed(near: Uint8Array, stray: Uint8Array, labels: Uint8Array, width: number, height: number) {
  const enclosed = near.map((value, index) => (value === 1 && labels[index] === UNKNOWN ? 1 : 0))
  const { regions, labels: ids } = labelRegions(enclosed, 1, width, height)
  const large = regions.map(({ area }, id) => id > 0 && area > ENCLOSED_SHARE * near.length)
  const rim = rimContrast(large, ids, stray, width, height)
  for (let index = 0; index < near.length; index++) {
    const id = ids[index]!
    if (large[id] === true && rim[id]! >= LEAST_RIM) labels[index] = GROUND
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

/** Chamfer distance (3 to an edge neighbour, 4 to a corner one) of every pixel to the ground. */
export function distanceTo(labels: Uint8Array, width: number, height: number): Uint16Array {
  const distance = new Uint16Array(labels.length)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      if (labels[index] === GROUND) continue
      let least = 60000
      if (x > 0) least = Math.min(least, distance[index - 1]! + 3)
      if (y > 0) {
        least = Math.min(least, distance[index - width]! + 3)
        if (x > 0) least = Math.min(least, distance[index - width - 1]! + 4)
        if (x < width - 1) least = Math.min(least, distance[index - width + 1]! + 4)
      }
      distance[index] = least
    }
  }
  for (let y = height - 1, index = labels.length - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, index--) {
      let least = distance[index]!
      if (x < width - 1) least = Math.min(least, distance[index + 1]! + 3)
      if (y < height - 1) {
        least = Math.min(least, distance[index + width]! + 3)
        if (x < width - 1) least = Math.min(least, distance[index + width + 1]! + 4)
        if (x > 0) least = Math.min(least, distance[index + width - 1]! + 4)
      }
      distance[index] = least
    }
  }
  return distance
}

function gradientOf({ width, height, data }: Picture): Uint8Array {
  const gradient = new Uint8Array(width * height)
  const line = width * 4
  for (let y = 0, index = 0; y < height; y++) {
    const up = y > 0 ? -line : 0
    const down = y < height - 1 ? line : 0
    for (let x = 0; x < width; x++, index++) {
      const at = index * 4
      const left = x > 0 ? at - 4 : at
      const right = x < width - 1 ? at + 4 : at
      let most = 0
      for (let channel = 0; channel < 3; channel++) {
        const across =
          Math.abs(data[right + channel]! - data[left + channel]!) +
          Math.abs(data[at + down + channel]! - data[at + up + channel]!)
        if (across > most) most = across
      }
      gradient[index] = most > 255 ? 255 : most
    }
  }
  return gradient
}
