import { PictureError } from './picture-error.ts'
import type { Point } from './picture.ts'
import type { MeasuringLine, Tag, TaggerInput, Tagging } from './tagging.ts'
import { itemOf } from './taxonomy/item-types.ts'
import type { Item } from './taxonomy/types.ts'
import { rankClosure } from './attributes/rank-closure.ts'
import { describeGarment } from './attributes/describe-garment.ts'
import { rankFabric } from './attributes/rank-fabric.ts'
import { readGender, estimateScale } from './attributes/estimate-scale.ts'
import { rankFit } from './attributes/rank-fit.ts'
import { toEntries } from './rank.ts'
import { conclude } from './network/judge/conclude.ts'
import { analysePicture } from './analyse-picture.ts'
import { toPicture } from './shape/find-axis.ts'
import { distance } from './shape/find-corners.ts'
import type { FrameLine, Layout } from './shape/landmarks.ts'
import { locateLegs } from './shape/locate-legs.ts'
import { locateBox, locateSkirt } from './shape/locate-skirt.ts'
import type { Shape } from './shape/read-shape.ts'

/** Nothing but cloth: a close-up, or a background that could not be told from it. */
const MAX_SHARE = 0.97

const NO_GARMENT = 'No garment found in the image.'

/** Too few pixels to tell a garment from a speck. */
const MIN_EDGE = 48

/** Tags the one main garment of a picture. Throws `PictureError` where there is none. */
export function tagEmbedded({ picture, attribute, cmPerPixel }: TaggerInput): Tagging {
  if (Math.min(picture.width, picture.height) < MIN_EDGE) {
    throw new PictureError(
      `The image is too small to tell a garment (${picture.width} x ${picture.height} pixels); at least ${MIN_EDGE} on each edge are needed.`,
    )
  }
  const analysis = analysePicture(picture)
  if (analysis === undefined || analysis.segmentation.share > MAX_SHARE) throw new PictureError(NO_GARMENT)
  const { shape, colour, factor } = analysis
  const conclusions = conclude(analysis.features, shape.silhouette.axis.symmetry)
  if (conclusions.nothing > 0.5) throw new PictureError(NO_GARMENT)
  const best = conclusions.itemType[0]!
  const itemType = best.value
  const item = itemOf(itemType)
  const layout = layoutOf(item, shape)
  const pixels = lengthsOf(layout.lines)
  const gender = readGender(attribute['Gender']) ?? item.gender
  const scale = cmPerPixel === undefined ? estimateScale(itemType, gender, pixels) : cmPerPixel * factor
  const lines = scale === undefined ? [] : toMeasuringLines(item, layout, scale)
  const { pattern } = conclusions
  const fit = rankFit(itemType, pixels)
  const closure = rankClosure(itemType, conclusions.front)
  const fabric = rankFabric(itemType, attribute['Material'])
  const ranked = {
    'Item Type': conclusions.itemType,
    Colour: colour.ranked,
    Pattern: pattern,
    Fit: fit,
    Closure: closure,
    'Fabric Type': fabric,
  }
  const tag: Tag = {
    ...echo(attribute, ['Brand', 'Material']),
    Category: attribute['Category'] ?? item.category,
    ...((attribute['Gender'] ?? item.gender) ? { Gender: attribute['Gender'] ?? item.gender! } : {}),
    ...Object.assign({}, ...Object.entries(ranked).map(([name, values]) => toEntries(name, values))),
    'Colour Hex': colour.hex,
  }
  const toInput = ([x, y]: Point): Point => [x * factor + (factor - 1) / 2, y * factor + (factor - 1) / 2]
  const place = ([u, v]: Point): Point => toInput(toPicture(shape.silhouette.axis, u, v))
  return {
    tag,
    ranked,
    measurements: Object.fromEntries(lines.map(({ name, cm }) => [`${name} (cm)`, cm])),
    description: describeGarment({
      itemType,
      colour: colour.ranked[0]!.value,
      pattern: pattern[0]!.value,
      fit,
      closure,
      fabric,
      gender: attribute['Gender'] ?? item.gender,
      brand: attribute['Brand'],
    }),
    outline: shape.outline.map(toInput),
    holes: shape.holes.map((hole) => hole.map(toInput)),
    landmarks: Object.fromEntries(Object.entries(layout.landmarks).map(([name, point]) => [name, place(point)])),
    lines: lines.map((line) => ({ ...line, from: place(line.from), to: place(line.to) })),
  }
}

function layoutOf({ build }: Item, shape: Shape): Layout {
  if (build === 'legs')
    return locateLegs(shape.silhouette, shape.crotch?.v ?? shape.silhouette.top + shape.silhouette.height / 2)
  if (build === 'skirt') return locateSkirt(shape.silhouette)
  if (build === 'bag') return locateBox(shape.silhouette, 'Height')
  return build === 'shoe' ? locateBox(shape.silhouette, 'Length') : shape.top
}

function lengthsOf(lines: readonly FrameLine[]): Record<string, number> {
  return Object.fromEntries(lines.map(({ name, from, to }) => [name, distance(from, to)]))
}

/** The item's own measurements, in the taxonomy's order, rounded to half centimetres. */
function toMeasuringLines({ measurements }: Item, { lines }: Layout, cmPerPixel: number): MeasuringLine[] {
  return measurements.flatMap((name) => {
    const line = lines.find((candidate) => candidate.name === name)
    if (line === undefined) return []
    const cm = Math.round(distance(line.from, line.to) * cmPerPixel * 2) / 2
    return cm > 0 ? [{ ...line, cm }] : []
  })
}

function echo(attribute: Readonly<Record<string, string>>, keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.flatMap((key) => (attribute[key] === undefined ? [] : [[key, attribute[key]]])))
}
