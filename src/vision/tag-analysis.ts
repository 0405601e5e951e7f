import { type Analysis, analysePicture, type EmptyPicture } from './analyse-picture.ts'
import { buildTag, rankClasses, suppliedValue } from './attributes/build-tag.ts'
import { contradictions, preferNamed, rankPictures, rankTypes } from './combine-pictures.ts'
import { estimateNote } from './measure/estimate-scale.ts'
import { isCutOut, type NoteCode, readScene, type Scene } from './scene.ts'
import { readGender } from './attributes/wearer.ts'
import { showsGarment } from './network/predict-picture.ts'
import { invert, project } from './card/homography.ts'
import { enlargePoint, shrinkPoint } from './image/shrink.ts'
import { measureGarment } from './measure/measure-garment.ts'
import type { Card } from './card/find-card.ts'
import type { Plane } from './geometry.ts'
import type { Picture, Point } from './picture.ts'
import { PictureError } from './picture-error.ts'
import { minShare } from './segment/segment-garment.ts'
import type { Known, Tagging } from './tagging.ts'
import { itemOf } from './taxonomy/item-types.ts'
import { type Build, sleevesOf } from './taxonomy/item.ts'

/** Somebody outside the picture may wear trousers and skirts at its edge, which needs a known scale to measure. */
const lowerBodyBuilds: readonly Build[] = ['legs', 'skirt']

const unmeasured = { lines: [], estimate: undefined }

export function tagAnalysis(
  analysis: Analysis,
  { attribute, cmPerPixel, card, child, itemType: givenType, kind = 'front', others = [], named = [] }: Known,
): Tagging {
  const { prediction, segmentation, outlines, holes, colour, isDark, factor } = analysis
  const { heads } = prediction
  const { shown, notes, trust, isMeasurable } = readScene({ ...analysis, ...heads, mask: segmentation.mask })
  const pictures = [{ kind, heads, colour, trust, isDark }, ...others] as const
  const types = preferNamed(rankTypes(pictures), named)
  const itemType = givenType ?? types[0]?.value
  if (itemType === undefined) throw noGarment()
  const item = itemOf(itemType)
  const toInput = (point: Point) => enlargePoint(point, factor)
  const scale = chooseScale(cmPerPixel, card)
  const mayBeWorn = scale === undefined && notes.includes('reaches_edge') && lowerBodyBuilds.includes(item.build)
  const sizing = { gender: readGender(suppliedValue(attribute, 'Gender') ?? item.gender ?? ''), child }
  const { lines, estimate } =
    isMeasurable && segmentation.isCertain && !mayBeWorn
      ? measureGarment(
          analysis,
          itemType,
          rankClasses(heads.sleeve, sleevesOf(item))[0]?.value,
          sizing,
          scale && {
            to: (place) => scale.plane.to(toInput(place)),
            from: (point) => shrinkPoint(scale.plane.from(point), factor),
          },
        )
      : unmeasured
  const evidence = { itemType, heads, colour, attribute }
  const ranked = rankPictures(pictures, evidence, named)
  const tag = buildTag(ranked, evidence)
  const scaleSource = lines.length === 0 ? null : (scale?.source ?? 'estimate')
  return {
    itemType,
    tag,
    ranked,
    measurements: Object.fromEntries(lines.map(({ name, cm }) => [`${name} (cm)`, cm])),
    shown,
    scaleSource,
    scale: scale?.toStore ?? (estimate === undefined ? undefined : estimate / factor),
    notes: [
      ...notes,
      ...contradictions(pictures),
      ...(isDark ? (['dark'] as const) : []),
      ...outlineNotes(analysis, { shown, notes, isMeasured: lines.length > 0 }),
      ...(scaleSource === 'card' ? (['card'] as const) : []),
      ...(scaleSource === 'estimate' ? [estimateNote(itemType, sizing)] : []),
      ...(card?.problem === undefined ? [] : [card.problem]),
    ],
    outlines: outlines.map((outline) => outline.map(toInput)),
    holes: holes.map((hole) => hole.map(toInput)),
    card: card?.corners ?? [],
    lines: lines.map((line) => ({ ...line, from: toInput(line.from), to: toInput(line.to) })),
  }
}

/** Returns a note about an uncertain outline, unless other notes explain it. */
function outlineNotes(
  { outlineQuality, segmentation }: Pick<Analysis, 'outlineQuality' | 'segmentation'>,
  scene: Pick<Scene, 'shown' | 'notes'> & { readonly isMeasured: boolean },
): NoteCode[] {
  if (scene.isMeasured && outlineQuality === 'unsure') return ['unsure_outline']
  return (outlineQuality !== 'good' || !segmentation.isCertain) && isCutOut(scene) ? ['uncut'] : []
}

/** Returns the map to centimetres from a flat card, or else from the studio. */
function chooseScale(cmPerPixel: number | undefined, card: Card | undefined) {
  const toPlane = card?.problem === undefined ? card?.toPlane : undefined
  const toPicture = toPlane && invert(toPlane)
  if (toPlane !== undefined && toPicture !== undefined) {
    const plane: Plane = { to: (place) => project(toPlane, place), from: (point) => project(toPicture, point) }
    return { source: 'card', plane, toStore: toPlane.slice(0, 8).map((value) => value / toPlane[8]!) } as const
  }
  if (cmPerPixel === undefined) return undefined
  const plane: Plane = {
    to: ([x, y]) => [x * cmPerPixel, y * cmPerPixel],
    from: ([x, y]) => [x / cmPerPixel, y / cmPerPixel],
  }
  return { source: 'studio', plane, toStore: cmPerPixel } as const
}

export async function analyse(picture: Picture, card: readonly Point[] | undefined): Promise<Analysis> {
  const analysis = await analysePicture(picture, card)
  if (!isGarment(analysis)) throw noGarment()
  return analysis
}

/** Whether a garment was found, is large enough and is not refused by the network. */
export const isGarment = (analysis: Analysis | EmptyPicture): analysis is Analysis =>
  analysis.segmentation !== undefined &&
  analysis.segmentation.share >= minShare &&
  showsGarment(analysis.prediction.heads)

export function noGarment() {
  return new PictureError('no_garment')
}
