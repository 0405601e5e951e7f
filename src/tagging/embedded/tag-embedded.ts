import { PermanentFault } from '../fault.ts'
import type { MeasuringLine, Point, Tag, Tagger, TaggerInput, Tagging } from '../tagger.ts'
import { type ItemType, type Item, itemOf } from '../taxonomy.ts'
import { shrinkByFactor } from '../image/shrink.ts'
import { describeColour } from './colour/describe-colour.ts'
import { describeGarment } from './describe-garment.ts'
import { readGender, scaleFromSizes } from './find-scale.ts'
import { fitOf } from './fit-of.ts'
import { guessItemType } from './guess-item-type.ts'
import { patternOf } from './pattern-of.ts'
import { rank, toEntries } from './rank.ts'
import { segmentGarment } from './segment/segment-garment.ts'
import { toPicture } from './shape/find-axis.ts'
import { distance } from './shape/find-corners.ts'
import type { FrameLine, Layout } from './shape/landmarks.ts'
import { locateLegs } from './shape/locate-legs.ts'
import { locateBox, locateSkirt } from './shape/locate-skirt.ts'
import { readShape, type Shape } from './shape/read-shape.ts'

/** Shape and colour are read at most at this size: finer pixels cost time and tell no more. */
const VIEW_EDGE = 420

/** Too few pixels to tell a garment from a speck. */
const MIN_EDGE = 48

/** The tagger that needs no network. Throws `PermanentFault` where it sees no garment. */
export const tagEmbedded: Tagger = (input) => Promise.resolve(tagNow(input))

function tagNow({ picture, attribute, cmPerPixel }: TaggerInput): Tagging {
  if (Math.min(picture.width, picture.height) < MIN_EDGE) {
    throw new PermanentFault(
      `The image is too small to tell a garment (${picture.width} x ${picture.height} pixels); at least ${MIN_EDGE} on each edge are needed.`,
    )
  }
  const factor = Math.ceil(Math.max(picture.width, picture.height) / VIEW_EDGE)
  const view = shrinkByFactor(picture, factor)
  const segmentation = segmentGarment(view)
  if (segmentation === undefined || segmentation.share < 0.004 || segmentation.share > 0.97)
    throw new PermanentFault('No garment found in the image.')
  const shape = readShape(segmentation)
  const ranked = guessItemType(shape)
  const itemType = ranked[0]!.value as ItemType
  const item = itemOf(itemType)
  const colour = describeColour(view, segmentation.mask)
  const layout = layoutOf(item, shape)
  const pixels = lengthsOf(layout.lines)
  const gender = readGender(attribute['Gender']) ?? item.gender
  const scale = cmPerPixel === undefined ? scaleFromSizes(itemType, gender, pixels) : cmPerPixel * factor
  const lines = scale === undefined ? [] : toMeasuringLines(item, layout, scale)
  const pattern = patternOf(colour.clusters)
  const fit = fitOf(itemType, pixels)
  const closure = rank(item.closure)
  const fabric = rank(item.fabric)
  const tag: Tag = {
    ...echo(attribute, ['Brand', 'Material']),
    Category: attribute['Category'] ?? item.category,
    ...((attribute['Gender'] ?? item.gender) ? { Gender: attribute['Gender'] ?? item.gender! } : {}),
    ...toEntries('Item Type', ranked),
    ...toEntries('Colour', colour.ranked),
    'Colour Hex': colour.hex,
    ...toEntries('Pattern', pattern),
    ...toEntries('Fit', fit),
    ...toEntries('Closure', closure),
    ...toEntries('Fabric Type', fabric),
  }
  const toInput = ([x, y]: Point): Point => [x * factor + (factor - 1) / 2, y * factor + (factor - 1) / 2]
  const place = ([u, v]: Point): Point => toInput(toPicture(shape.silhouette.axis, u, v))
  return {
    tag,
    measurements: Object.fromEntries(lines.map(({ name, cm }) => [`${name} (cm)`, cm])),
    description: describeGarment({
      itemType,
      colour: colour.ranked[0]!.value,
      pattern: pattern[0]!.value as 'Plain',
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
