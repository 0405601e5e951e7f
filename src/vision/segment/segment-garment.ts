import type { Picture } from '../picture.ts'
import { colourSteps } from './colour-step.ts'
import { growRegions } from './grow-regions.ts'
import { keepParts } from './keep-parts.ts'
import { type Mask, maxBackground, minCloth, surelyBackground, surelyCloth, unknown } from './mask.ts'
import { softenEdge } from './soften-edge.ts'

export interface Segmentation {
  readonly mask: Mask
  /** Share of each pixel that the garment covers, 0 to 255. */
  readonly coverage: Uint8Array
  /** Share of the picture that the garment covers, 0 to 1. */
  readonly share: number
  /** Whether the network is certain of enough of it for its border to be that of the garment. */
  readonly isCertain: boolean
}

/** Of the picture; a garment worth tagging covers more. */
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
