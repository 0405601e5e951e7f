import type { Picture } from '../picture.ts'
import { gradientOf } from './colour-step.ts'
import { backgroundRow, type BackgroundModel } from './fit-background.ts'
import { markEnclosed } from './mark-enclosed.ts'
import { distanceTo } from './measure-depth.ts'
import { CLOTH, BACKGROUND, UNKNOWN } from './region-labels.ts'

export interface Seeds {
  readonly labels: Uint8Array
  /** Colour step to the neighbours, 0 to 255, of pixels that are unknown. */
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
  floodBackground(near, labels, width, height)
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
  return { labels, gradient: gradientOf(picture, labels), foreign }
}

/** Marks as ground what is near and joined to the border by its edges. */
function floodBackground(near: Uint8Array, labels: Uint8Array, width: number, height: number) {
  const stack = new Int32Array(width * height)
  let top = 0
  const push = (index: number) => {
    if (near[index] === 1 && labels[index] === UNKNOWN) {
      labels[index] = BACKGROUND
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
