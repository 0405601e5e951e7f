import { surelyBackground, unknown } from './mask.ts'

const quantisedLevels = 256

/**
 * Watershed by flooding (Meyer 1991): the known labels grow over the unknown pixels, lowest colour step first, so that
 * they meet where the step is highest, which is the garment's edge. In place.
 * @param labels one of `unknown`, `surelyBackground` and `surelyCloth` for each pixel
 * @param gradient 0 to 255 for each pixel
 */
export function growRegions(labels: Uint8Array, gradient: Uint8Array, width: number, height: number) {
  const size = width * height
  // One linked list of pixels for each level: a pixel waits in at most one, by its own step.
  const heads = new Int32Array(quantisedLevels).fill(-1)
  const tails = new Int32Array(quantisedLevels).fill(-1)
  const next = new Int32Array(size).fill(-1)
  const owner = new Uint8Array(size)
  let level = quantisedLevels
  const offer = (index: number, label: number, floor: number) => {
    if (labels[index] !== unknown || owner[index] !== 0) return
    owner[index] = label
    const at = Math.max(floor, gradient[index]!)
    if (heads[at] === -1) heads[at] = index
    else next[tails[at]!] = index
    tails[at] = index
    if (at < level) level = at
  }
  const spread = (index: number, label: number, floor: number) => {
    const x = index % width
    if (x > 0) offer(index - 1, label, floor)
    if (x < width - 1) offer(index + 1, label, floor)
    if (index >= width) offer(index - width, label, floor)
    if (index < size - width) offer(index + width, label, floor)
  }
  for (let index = 0; index < size; index++) {
    if (labels[index] !== unknown) continue
    const x = index % width
    const left = x > 0 ? labels[index - 1]! : unknown
    const right = x < width - 1 ? labels[index + 1]! : unknown
    const above = index >= width ? labels[index - width]! : unknown
    const below = index < size - width ? labels[index + width]! : unknown
    const label = left || right || above || below
    if (label !== unknown) offer(index, label, 0)
  }
  while (level < quantisedLevels) {
    const index = heads[level]!
    if (index === -1) {
      level++
      continue
    }
    heads[level] = next[index]!
    labels[index] = owner[index]!
    spread(index, owner[index]!, level)
  }
  for (let index = 0; index < size; index++) if (labels[index] === unknown) labels[index] = surelyBackground
}
