import { shrinkByFactor } from './image/shrink.ts'
import type { Picture } from './picture.ts'
import { type ColourReading, rankColours } from './colour/rank-colours.ts'
import { type Features, readFeatures } from './network/detail/read-features.ts'
import { segmentGarment, type Segmentation } from './segment/segment-garment.ts'
import { readShape, type Shape } from './shape/read-shape.ts'

/** Shape and colour are read at most at this size: finer pixels cost time and tell little more. */
const VIEW_EDGE = 420

/** A garment worth a picture fills more of it. */
const MIN_SHARE = 0.004

export interface Analysis {
  readonly segmentation: Segmentation
  readonly shape: Shape
  readonly colour: ColourReading
  readonly features: Features
  /** Pixels of the picture to one of the smaller view that shape is given in. */
  readonly factor: number
}

/** Everything that is read from a picture before anything is concluded; `undefined` where nothing stands off. */
export function analysePicture(picture: Picture): Analysis | undefined {
  const factor = Math.ceil(Math.max(picture.width, picture.height) / VIEW_EDGE)
  const view = shrinkByFactor(picture, factor)
  const segmentation = segmentGarment(view)
  if (segmentation === undefined || segmentation.share < MIN_SHARE) return undefined
  const shape = readShape(segmentation)
  const colour = rankColours(view, segmentation.mask)
  const features = readFeatures(picture, view, factor, segmentation.mask, shape, colour)
  return { segmentation, shape, colour, features, factor }
}
