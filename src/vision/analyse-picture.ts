import { type Box, type Mask, type Picture, type Point, viewEdge } from './picture.ts'
import { coverCard } from './card/cover-card.ts'
import { type ColourReading, rankColours } from './colour/rank-colours.ts'
import { isDark } from './colour/cluster-colours.ts'
import { shrinkByFactor, shrinkPoint } from './image/shrink.ts'
import { yieldToEventLoop } from '../platform/limits/yield-to-event-loop.ts'
import { outsideLevel, type Prediction, predictPicture, projectOutline } from './network/predict-picture.ts'
import { type Segmentation, segmentGarment } from './segment/segment-garment.ts'
import { findGarments } from './segment/find-garments.ts'
import { enlarge, sharpenOutline } from './segment/sharpen-outline.ts'
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

/** Downscaling factor of the view in which cloth and background are separated by colour. It averages noise away. */
const colourFactor = 2

export interface Analysis {
  readonly prediction: Prediction
  readonly segmentation: Segmentation
  /** One outline for each part of the garment, largest first, in pixels of the view. */
  readonly outlines: readonly (readonly Point[])[]
  readonly holes: readonly (readonly Point[])[]
  readonly colour: ColourReading
  readonly isDark: boolean
  /** True if so much of the outline is uncertain that half of the garment may be missing. */
  readonly isUnsure: boolean
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
  const { probabilities, unsure } = readOutline(view, prediction)
  await yieldToEventLoop()
  const segmentation = segmentGarment(view, probabilities)
  if (segmentation === undefined) return { prediction, segmentation }
  await yieldToEventLoop()
  const { outlines, holes } = sortOutlines(traceOutlines(segmentation.coverage, view.width, view.height))
  if (outlines.length === 0) return { prediction, segmentation: undefined }
  const cloth = covered === undefined ? segmentation.mask : subtractMask(segmentation.mask, covered)
  const colour = rankColours(view, cloth, prediction.heads.colour)
  const isUnsure = unsure > maxUnsure * segmentation.share
  return { prediction, segmentation, outlines, holes, colour, isDark: isDark(view), isUnsure }
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

/** Largest uncertain area relative to the garment's area. The model card has the error rates. */
const maxUnsure = 0.19

/** Returns each pixel's probability of garment, and the share of pixels between 0.2 and 0.8 before sharpening. */
function readOutline(view: Picture, { outlines }: Prediction) {
  const coarse = shrinkByFactor(view, colourFactor)
  const probabilities = projectOutline(outlines, coarse, colourFactor)
  const unsure =
    probabilities.filter((probability) => probability > 0.2 && probability < 0.8).length / probabilities.length
  const map = { width: coarse.width, height: coarse.height, values: sharpenOutline(coarse, probabilities) }
  return { probabilities: enlarge(map, view.width, view.height, 1 / colourFactor), unsure }
}
