import { type Mask, maxBackground, minCloth, type Picture, surelyBackground, surelyCloth, unknown } from '../picture.ts'
import { labelRegions } from './label-regions.ts'

/** Colour step to the neighbours, 0 to 255, of pixels whose label is unknown; 0 elsewhere. */
function colourSteps({ width, height, data }: Picture, labels: Uint8Array): Uint8Array {
  const steps = new Uint8Array(width * height)
  const line = width * 4
  for (let y = 0, index = 0; y < height; y++) {
    const up = y > 0 ? -line : 0
    const down = y < height - 1 ? line : 0
    for (let x = 0; x < width; x++, index++) {
      if (labels[index] !== unknown) continue
      const at = index * 4
      const left = x > 0 ? at - 4 : at
      const right = x < width - 1 ? at + 4 : at
      let steepest = 0
      for (let channel = 0; channel < 3; channel++) {
        const across =
          Math.abs(data[right + channel]! - data[left + channel]!) +
          Math.abs(data[at + down + channel]! - data[at + up + channel]!)
        if (across > steepest) steepest = across
      }
      steps[index] = steepest > 255 ? 255 : steepest
    }
  }
  return steps
}

const quantisedLevels = 256

/**
 * Watershed by flooding (Meyer 1991): the known labels grow over the unknown pixels, lowest colour step first, so that
 * they meet where the step is highest, which is the garment's edge. In place.
 * @param labels one of `unknown`, `surelyBackground` and `surelyCloth` for each pixel
 * @param gradient 0 to 255 for each pixel
 */
function growRegions(labels: Uint8Array, gradient: Uint8Array, width: number, height: number) {
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

/** A part smaller than this share of the largest one is something else: a price tag, a stain, the end of a hanger. */
const minPart = 0.1

/** A hole smaller than this share of the garment is a button or a print. */
const minHole = 0.003

/** Keeps the large parts (a pair of shoes has two) and fills the small holes. */
export function keepParts({ width, height, data }: Mask): Mask {
  const { regions, labels } = labelRegions(data, 1, width, height)
  const largest = Math.max(0, ...regions.slice(1).map(({ area }) => area))
  const isKept = regions.map(({ area }, id) => id > 0 && area >= largest * minPart)
  const kept = new Uint8Array(data.length)
  for (let index = 0; index < kept.length; index++) if (isKept[labels[index]!] === true) kept[index] = 1
  const holes = labelRegions(kept, 0, width, height)
  const isSmall = holes.regions.map(
    ({ area, touchesBorder }, id) => id > 0 && !touchesBorder && area < largest * minHole,
  )
  for (let index = 0; index < kept.length; index++) if (isSmall[holes.labels[index]!] === true) kept[index] = 1
  return { width, height, data: kept }
}

/** In pixels: at this distance from the edge, the colours of garment and background are pure. */
const reach = 3

/**
 * Coverage of each pixel by the garment, 0 to 255. At the edge it follows from the pixel's colour, a blend of those
 * further in and further out, so that the outline is exact to a fraction of a pixel.
 */
function softenEdge({ width, height, data: pixels }: Picture, { data }: Mask): Uint8Array {
  const coverage = new Uint8Array(data.length)
  const inside = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : data[y * width + x]!)
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const value = data[index]!
      const isEdge =
        (x > 0 && data[index - 1] !== value) ||
        (x < width - 1 && data[index + 1] !== value) ||
        (y > 0 && data[index - width] !== value) ||
        (y < height - 1 && data[index + width] !== value)
      coverage[index] = value * 255
      if (!isEdge) continue
      let dx = 0
      let dy = 0
      for (let j = -2; j <= 2; j++) {
        for (let i = -2; i <= 2; i++) {
          const weight = inside(x + i, y + j)
          dx += i * weight
          dy += j * weight
        }
      }
      const length = Math.hypot(dx, dy)
      if (length < 1) continue
      const inX = Math.round(x + (dx / length) * reach)
      const inY = Math.round(y + (dy / length) * reach)
      const outX = Math.round(x - (dx / length) * reach)
      const outY = Math.round(y - (dy / length) * reach)
      if (inside(inX, inY) !== 1 || inside(outX, outY) !== 0) continue
      if (outX < 0 || outY < 0 || outX >= width || outY >= height) continue
      coverage[index] = 255 * blendShare(pixels, index * 4, (inY * width + inX) * 4, (outY * width + outX) * 4, value)
    }
  }
  return coverage
}

/** How much of `inside` there is in the blend at `at`, by projection on the line between the two colours. */
function blendShare(pixels: Uint8ClampedArray, at: number, inside: number, outside: number, value: number): number {
  let along = 0
  let total = 0
  for (let channel = 0; channel < 3; channel++) {
    const span = pixels[inside + channel]! - pixels[outside + channel]!
    along += (pixels[at + channel]! - pixels[outside + channel]!) * span
    total += span * span
  }
  if (total < 300) return value
  return Math.max(0, Math.min(1, along / total))
}

export interface Segmentation {
  readonly mask: Mask
  /** Share of each pixel that the garment covers, 0 to 255. */
  readonly coverage: Uint8Array
  /** Share of the picture that the garment covers, 0 to 1. */
  readonly share: number
  /** Whether the network is certain of enough of it for its border to be that of the garment. */
  readonly isCertain: boolean
}

/** Share of the picture; a garment worth tagging covers more. */
export const minShare = 0.004

/**
 * Cuts the garment out: where the network is certain it decides, and in between the border follows the highest colour
 * step. Where it is certain of nothing, as of what a person wears far away, what is at least half as likely as the
 * likeliest pixel is cut out. `undefined` if no garment is found.
 * @param probabilities of garment, for each pixel of the picture
 */
export function segmentGarment(picture: Picture, probabilities: Float32Array): Segmentation | undefined {
  const certain = cutOut(picture, probabilities, minCloth)
  if (certain !== undefined && certain.share >= minShare) return { ...certain, isCertain: true }
  const likely = probabilities.reduce((highest, value) => Math.max(highest, value), 0) / 2
  const found = likely > maxBackground ? cutOut(picture, probabilities, likely) : certain
  return found && { ...found, isCertain: false }
}

/** @param certainty probability from which on a pixel is certain to be cloth */
function cutOut(
  picture: Picture,
  probabilities: Float32Array,
  certainty: number,
): Omit<Segmentation, 'isCertain'> | undefined {
  const { width, height } = picture
  const labels = new Uint8Array(probabilities.length).fill(unknown)
  for (let index = 0; index < labels.length; index++) {
    if (probabilities[index]! >= certainty) labels[index] = surelyCloth
    else if (probabilities[index]! <= maxBackground) labels[index] = surelyBackground
  }
  growRegions(labels, colourSteps(picture, labels), width, height)
  for (let index = 0; index < labels.length; index++) labels[index] = labels[index] === surelyCloth ? 1 : 0
  const mask = keepParts({ width, height, data: labels })
  let covered = 0
  for (let index = 0; index < mask.data.length; index++) covered += mask.data[index]!
  if (covered === 0) return undefined
  return { mask, coverage: softenEdge(picture, mask), share: covered / mask.data.length }
}
