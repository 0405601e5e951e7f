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
}

/**
 * Cuts the garment out: where the network is certain it decides, and in between the border follows the highest colour
 * step. `undefined` if no garment is found.
 * @param probabilities of garment, for each pixel of the picture
 */
export function segmentGarment(picture: Picture, probabilities: Float32Array): Segmentation | undefined {
  const { width, height } = picture
  const labels = new Uint8Array(probabilities.length).fill(unknown)
  for (let index = 0; index < labels.length; index++) {
    if (probabilities[index]! >= minCloth) labels[index] = surelyCloth
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
