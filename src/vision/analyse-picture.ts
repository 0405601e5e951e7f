import { type ColourReading, rankColours } from './colour/rank-colours.ts'
import { shrinkByFactor } from './image/shrink.ts'
import { type Impression, lookAtPicture } from './look/look-at-picture.ts'
import { projectOutline } from './look/project-outline.ts'
import type { Picture, Point } from './picture.ts'
import { type Segmentation, segmentGarment } from './segment/segment-garment.ts'
import { sortOutlines, traceOutlines } from './segment/trace-outline.ts'

/** The outline is cut out at this size at most: finer pixels cost time and tell little more. */
const VIEW_EDGE = 560

export interface Analysis {
  readonly impression: Impression
  readonly segmentation: Segmentation
  /** Around each part of the garment, largest first, in pixels of the view. */
  readonly outlines: readonly (readonly Point[])[]
  readonly holes: readonly (readonly Point[])[]
  readonly colour: ColourReading
  /** Pixels of the picture to one of the view. */
  readonly factor: number
}

/** Everything that is read from a picture before anything is concluded; `undefined` where nothing is garment. */
export function analysePicture(picture: Picture): Analysis | undefined {
  const impression = lookAtPicture(picture)
  const factor = Math.ceil(Math.max(picture.width, picture.height) / VIEW_EDGE)
  const view = shrinkByFactor(picture, factor)
  const segmentation = segmentGarment(view, projectOutline(impression.outlines, view, factor))
  if (segmentation === undefined) return undefined
  const { outlines, holes } = sortOutlines(traceOutlines(segmentation.coverage, view.width, view.height))
  if (outlines.length === 0) return undefined
  return { impression, segmentation, outlines, holes, colour: rankColours(view, segmentation.mask), factor }
}
