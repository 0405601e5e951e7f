import type { Picture } from '../picture.ts'
import { type BackgroundModel, fitBackground } from './fit-background.ts'
import { growRegions } from './grow-regions.ts'
import { keepGarment } from './keep-garment.ts'
import { peelShadow } from './peel-shadow.ts'
import { markSeeds } from './mark-seeds.ts'
import { CLOTH } from './region-labels.ts'
import type { Mask } from './mask.ts'
import { softenEdge } from './soften-edge.ts'

export interface Segmentation {
  readonly mask: Mask
  /** Share of each pixel that the garment covers, 0 to 255. */
  readonly coverage: Uint8Array
  readonly background: BackgroundModel
  /** Share of the picture that the garment covers. */
  readonly share: number
}

/** Separates the one main garment from a plain background; `undefined` where nothing stands off from it. */
export function segmentGarment(picture: Picture): Segmentation | undefined {
  const { width, height } = picture
  const background = fitBackground(picture)
  const seeds = markSeeds(picture, background)
  growRegions(seeds, width, height)
  const isDistinct = peelShadow(seeds, width, height)
  const mask = keepGarment(
    { width, height, data: seeds.labels.map((label) => (label === CLOTH ? 1 : 0)) },
    seeds.foreign,
    isDistinct,
  )
  const share = mask.data.reduce((sum, value) => sum + value, 0) / mask.data.length
  if (share === 0) return undefined
  return { mask, coverage: softenEdge(picture, mask), background, share }
}
