import { type Mask, maxBackground, minCloth, type Picture } from '../picture.ts'
import { labelRegions } from './label-regions.ts'

/** Parts smaller than this share of the largest part are price tags, stains or hangers. */
const minPart = 0.1

/** Holes smaller than this share of the garment are buttons or prints. */
const minHole = 0.003

/** Removes small parts and fills small holes. A pair of shoes has two large parts. */
export function keepParts({ width, height, data }: Mask): Mask {
  const { regions, labels } = labelRegions(data, 1, width, height)
  const largest = Math.max(0, ...regions.slice(1).map(({ area }) => area))
  const isKept = regions.map(({ area }, id) => id > 0 && area >= largest * minPart)
  const cleaned = new Uint8Array(data.length)
  for (let index = 0; index < cleaned.length; index++) if (isKept[labels[index]!] === true) cleaned[index] = 1
  const holes = labelRegions(cleaned, 0, width, height)
  const isSmall = holes.regions.map(
    ({ area, touchesBorder }, id) => id > 0 && !touchesBorder && area < largest * minHole,
  )
  for (let index = 0; index < cleaned.length; index++) if (isSmall[holes.labels[index]!] === true) cleaned[index] = 1
  return { width, height, data: cleaned }
}

/** Distance from the edge, in pixels, where colours are pure. */
const reach = 3

/** Returns each pixel's coverage by the garment, 0 to 255. Edge pixels blend the colours of both sides. */
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

/** Returns the share of colour `inside` in a blend of two colours. */
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
  readonly coverage: Uint8Array
  readonly share: number
  /** Whether the network is certain of enough cloth. */
  readonly isCertain: boolean
}

/** Minimum share of the picture for a garment worth tagging. */
export const minShare = 0.004

/** Pixels of at least this probability are cloth, if the network is certain of some. */
const likelyCloth = 0.5

/**
 * Cuts the garment out where `probabilities` of garment exceed one half. If the network is certain of no pixel, uses
 * half of the highest probability. Returns undefined without a garment.
 */
export function segmentGarment(picture: Picture, probabilities: Float32Array): Segmentation | undefined {
  const highest = probabilities.reduce((best, value) => Math.max(best, value), 0)
  const certain = highest >= minCloth ? cutOut(picture, probabilities, likelyCloth) : undefined
  if (certain !== undefined && certain.share >= minShare) return { ...certain, isCertain: true }
  const likely = highest / 2
  return likely > maxBackground ? { ...cutOut(picture, probabilities, likely), isCertain: false } : undefined
}

function cutOut(picture: Picture, probabilities: Float32Array, limit: number): Omit<Segmentation, 'isCertain'> {
  const { width, height } = picture
  const mask = keepParts({ width, height, data: Uint8Array.from(probabilities, (value) => (value >= limit ? 1 : 0)) })
  const share = mask.data.reduce((sum, value) => sum + value, 0) / mask.data.length
  return { mask, coverage: softenEdge(picture, mask), share }
}
