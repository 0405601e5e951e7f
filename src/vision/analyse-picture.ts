import { type Box, type Mask, type Picture, type Point, viewEdge } from './picture.ts'
import { coverCard } from './card/cover-card.ts'
import { type ColourReading, rankColours } from './colour/rank-colours.ts'
import { isDark } from './colour/cluster-colours.ts'
import { shrinkByFactor, shrinkPoint } from './image/shrink.ts'
import { yieldToEventLoop } from '../platform/limits/yield-to-event-loop.ts'
import { outsideLevel, type Prediction, predictPicture, projectOutline } from './network/predict-picture.ts'
import { type Segmentation, segmentGarment } from './segment/segment-garment.ts'
import { findGarments } from './segment/find-garments.ts'
import { guidedFilter } from './segment/guided-filter.ts'
import { sortOutlines, traceOutlines } from './segment/trace-outline.ts'
import { perhapsWorn, probabilityWorn } from './scene.ts'
import { isItemType, itemOf } from './taxonomy/item-types.ts'

/** Margin around the garment, as a share of its box's longer side. */
const marginShare = 0.06

export function maskOthers(
  { width, height, data }: Picture,
  { left, top, right, bottom }: Box,
  level: number,
): Picture {
  const margin = Math.round(marginShare * Math.max(right - left, bottom - top))
  const first = Math.max(0, left - margin)
  const end = Math.min(width, right + margin)
  const out = new Uint8ClampedArray(data.length).fill(level)
  for (let y = Math.max(0, top - margin); y < Math.min(height, bottom + margin); y++)
    out.set(data.subarray((y * width + first) * 4, (y * width + end) * 4), (y * width + first) * 4)
  return { width, height, data: out }
}

/** Downscaling factor of the view in which the outline is fitted to colours. It averages noise away. */
const colourFactor = 3

export interface Analysis {
  readonly prediction: Prediction
  readonly segmentation: Segmentation
  /** One outline for each part of the garment, largest first, in pixels of the view. */
  readonly outlines: readonly (readonly Point[])[]
  readonly holes: readonly (readonly Point[])[]
  readonly colour: ColourReading
  readonly isDark: boolean
  /** `rough`: good enough to measure, but not to cut the garment out. `unsure`: a large part may be missing. */
  readonly outlineQuality: 'good' | 'rough' | 'unsure'
  /** Pixels of the picture per pixel of the view. */
  readonly factor: number
  /** True if several garments lie side by side. All other fields describe the largest one. */
  readonly hasSeveral: boolean
}

export interface EmptyPicture {
  readonly prediction: Prediction
  readonly segmentation: undefined
}

/**
 * Reads outline, colour and network heads. Of several garments side by side, analyses the largest again with the others
 * masked. `card`, the card's corners, is neither garment nor cloth.
 */
export async function analysePicture(picture: Picture, card?: readonly Point[]): Promise<Analysis | EmptyPicture> {
  const factor = Math.ceil(Math.max(picture.width, picture.height) / viewEdge)
  const shrunk = shrinkByFactor(picture, factor)
  const { picture: view, covered } =
    card === undefined
      ? { picture: shrunk, covered: undefined }
      : coverCard(
          shrunk,
          card.map((corner) => shrinkPoint(corner, factor)),
        )
  const all = await analyseView(view, covered)
  if (all.segmentation === undefined) return all
  // The outline of a person can be thin at waist and wrists, so only garments that nobody wears may touch.
  const mayTouch = probabilityWorn(all.prediction.heads.shown) < perhapsWorn
  const garments = findGarments(all.segmentation.mask, mayTouch)
  if (garments.length <= (isFootwear(all.prediction.heads) ? 2 : 1)) return { ...all, factor, hasSeveral: false }
  await yieldToEventLoop()
  const alone = await analyseView(maskOthers(view, garments[0]!, outsideLevel), covered)
  const one = alone.segmentation === undefined ? all : alone
  // The mask may hide the person who wears the garment, so these heads are read from the whole picture.
  const { shown, label, orientation } = all.prediction.heads
  const heads = { ...one.prediction.heads, shown, label, orientation }
  return { ...one, prediction: { ...one.prediction, heads }, factor, hasSeveral: true }
}

async function analyseView(view: Picture, covered: Mask | undefined) {
  const prediction = await predictPicture(view)
  const coarse = shrinkByFactor(view, colourFactor)
  const probabilities = projectOutline(prediction.outlines, coarse, colourFactor)
  const refined = guidedFilter(view, coarse, colourFactor, probabilities)
  await yieldToEventLoop()
  const segmentation = segmentGarment(view, refined)
  if (segmentation === undefined) return { prediction, segmentation }
  await yieldToEventLoop()
  const { outlines, holes } = sortOutlines(traceOutlines(segmentation.coverage, view.width, view.height))
  if (outlines.length === 0) return { prediction, segmentation: undefined }
  const cloth = covered === undefined ? segmentation.mask : subtractMask(segmentation.mask, covered)
  const colour = rankColours(view, cloth, prediction.heads.colour)
  const doubt = doubtfulShare(coarse, probabilities, segmentation.mask)
  const outlineQuality = doubt > maxMeasured ? 'unsure' : doubt > maxCutOut ? 'rough' : 'good'
  return { prediction, segmentation, outlines, holes, colour, isDark: isDark(view), outlineQuality } as const
}

const subtractMask = (mask: Mask, { data }: Mask): Mask => ({
  ...mask,
  data: mask.data.map((value, index) => (data[index] === 1 ? 0 : value)),
})

/** Shoes come in pairs, so two separate parts of footwear are one garment. */
function isFootwear({ type }: Prediction['heads']): boolean {
  const shoes = type.filter(([name]) => isItemType(name) && itemOf(name).category === 'Shoes')
  return shoes.reduce((sum, [, probability]) => sum + probability, 0) > 0.5
}

/** Largest doubt of a garment that is cut out, and of one that is measured. The model card has the error rates. */
const [maxCutOut, maxMeasured] = [0.055, 0.12]

/** Distance in pixels of the small view within which every outline is uncertain. */
const edgeReach = 1

/**
 * Returns the area away from the outline that may or may not be garment, with a probability between 0.2 and 0.8, as a
 * share of the garment's area.
 */
function doubtfulShare({ width, height }: Picture, probabilities: Float32Array, mask: Mask): number {
  const isInside = (x: number, y: number) => {
    const column = Math.min(width - 1, Math.max(0, x)) * colourFactor
    const row = Math.min(height - 1, Math.max(0, y)) * colourFactor
    return mask.data[row * mask.width + column]!
  }
  const steps = [-edgeReach, 0, edgeReach]
  let [doubtful, area] = [0, 0]
  for (let y = 0, index = 0; y < height; y++)
    for (let x = 0; x < width; x++, index++) {
      const inside = mask.data[y * colourFactor * mask.width + x * colourFactor]!
      area += inside
      if (probabilities[index]! <= 0.2 || probabilities[index]! >= 0.8) continue
      if (steps.every((dy) => steps.every((dx) => isInside(x + dx, y + dy) === inside))) doubtful++
    }
  return doubtful / Math.max(1, area)
}
