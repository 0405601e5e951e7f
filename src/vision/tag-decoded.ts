import { type Analysis, analysePicture } from './analyse-picture.ts'
import { buildTag } from './attributes/build-tag.ts'
import { describeGarment } from './attributes/describe-garment.ts'
import { readGender } from './attributes/estimate-scale.ts'
import { findImageWarning } from './attributes/find-image-warning.ts'
import { rankAttributes } from './attributes/rank-attributes.ts'
import { rankFabric } from './attributes/rank-fabric.ts'
import { rankFit } from './attributes/rank-fit.ts'
import { showsGarment } from './predict/predict-picture.ts'
import { measureGarment } from './measure-garment.ts'
import type { Picture, Point } from './picture.ts'
import { PictureError } from './picture-error.ts'
import { scaleRanked } from './rank.ts'
import type { TaggerInput, Tagging } from './tagging.ts'
import { itemOf } from './taxonomy/item-types.ts'

/** A garment worth tagging covers more of the picture. */
const minShare = 0.004

/** Too few pixels to tell a garment from a speck. */
const minEdge = 48

/** Tags the one main garment of a decoded picture. Throws `PictureError` where there is none. */
export function tagDecoded({ picture, attribute, cmPerPixel }: TaggerInput): Tagging {
  const analysis = analyse(picture)
  const { prediction, segmentation, outlines, holes, colour, factor } = analysis
  const seen = rankAttributes(prediction)
  if (seen === undefined) throw noGarment()
  const { itemType } = seen
  const item = itemOf(itemType)
  const gender = attribute['Gender'] ?? item.gender
  const { lengths, landmarks, lines } = measureGarment(
    analysis,
    itemType,
    seen.sleeve[0]?.value,
    readGender(gender),
    cmPerPixel === undefined ? undefined : cmPerPixel * factor,
  )
  const warning = findImageWarning({ ...analysis, ...prediction, mask: segmentation.mask })
  const trust = warning?.trust ?? 1
  const ranked = {
    'Item Type': scaleRanked(seen.types, trust),
    Colour: scaleRanked(colour.ranked, trust),
    Pattern: scaleRanked(seen.pattern, trust),
    Sleeve: scaleRanked(seen.sleeve, trust),
    Fit: scaleRanked(rankFit(itemType, lengths), trust),
    Closure: scaleRanked(seen.closure, trust),
    'Fabric Type': scaleRanked(rankFabric(itemType, attribute['Material']), trust),
  }
  const toInput = ([x, y]: Point): Point => [x * factor + (factor - 1) / 2, y * factor + (factor - 1) / 2]
  const description = describeGarment({ itemType, ranked, gender, brand: attribute['Brand'] })
  return {
    tag: buildTag(ranked, colour.hex, attribute, item),
    ranked,
    measurements: Object.fromEntries(lines.map(({ name, cm }) => [`${name} (cm)`, cm])),
    description: warning === undefined ? description : `${description} ${warning.sentence}`,
    outlines: outlines.map((outline) => outline.map(toInput)),
    holes: holes.map((hole) => hole.map(toInput)),
    landmarks:
      lines.length === 0
        ? {}
        : Object.fromEntries(Object.entries(landmarks).map(([name, point]) => [name, toInput(point)])),
    lines: lines.map((line) => ({ ...line, from: toInput(line.from), to: toInput(line.to) })),
  }
}

function analyse(picture: Picture): Analysis {
  if (Math.min(picture.width, picture.height) < minEdge) {
    throw new PictureError('too_small', { width: picture.width, height: picture.height, min: minEdge })
  }
  const analysis = analysePicture(picture)
  if (analysis === undefined || analysis.segmentation.share < minShare) throw noGarment()
  if (!showsGarment(analysis.prediction)) throw noGarment()
  return analysis
}

function noGarment() {
  return new PictureError('no_garment')
}
