import { type Drawing, toDrawing } from './annotate/clean-copy.ts'
import { findCard } from './card/find-card.ts'
import { analysePicture } from './analyse-picture.ts'
import { isGarment, noGarment, tagAnalysis } from './tag-analysis.ts'
import { chooseRotation } from './network/choose-rotation.ts'
import { looksLikeLabel } from './network/predict-picture.ts'
import { decodePicture } from './image/decode-picture.ts'
import { yieldToEventLoop } from '../platform/limits/yield-to-event-loop.ts'
import { encodeJpeg } from './image/encode-jpeg.ts'
import { PictureError } from './picture-error.ts'
import { hashPicture, type PictureHash } from './picture-hash.ts'
import { alternativesOf, roundProbability } from './rank.ts'
import {
  isOnlyListed,
  type NoteCode,
  type PictureKind,
  type Presentation,
  readScene,
  type ScaleSource,
} from './scene.ts'
import { type Rotation, rotate } from './image/orientation.ts'
import type { PictureEvidence } from './combine-pictures.ts'
import { measureInView, toView } from './measure/original-lines.ts'
import type { View } from './view.ts'
import { type Known, type Tag, taggerVersion, type Tagging } from './tagging.ts'
import type { ItemType } from './taxonomy/item-types.ts'

/** `cmPerPixel` refers to the upright original. Without `rotation`, the tagger chooses it. */
export type PictureHints = Omit<Known, 'card'> & { readonly rotation?: Rotation | undefined }

export interface TaggingDetails {
  readonly shown: Presentation
  readonly scale: ScaleSource | null
  readonly notes: readonly NoteCode[]
  /** Maps each attribute to the probabilities of its value and its alternatives, in order, rounded to 0.001. */
  readonly probabilities: Readonly<Record<string, readonly number[]>>
  readonly tagger: string
  /** The type that a person gave. All values except the tag's `Item Type` are derived for it. */
  readonly measuredAs?: ItemType | undefined
  readonly view: View
}

export interface TaggedPicture {
  readonly tag: Tag
  /** Maps `Name (cm)` to centimetres, rounded to 0.5. */
  readonly measurements: Record<string, number>
  readonly details: TaggingDetails
  readonly copy: PictureCopy
  /** Degrees clockwise, after EXIF. Absent if a rotation was given. */
  readonly chosenRotation?: Rotation | undefined
}

/** Stored copy of a picture: a JPEG at the size at which it was tagged, with what is drawn over it. */
export interface PictureCopy {
  readonly jpeg: Uint8Array
  readonly drawing: Drawing
  readonly hash: PictureHash
}

const maxEdge = 1280

/** Shortest edge in pixels of that copy. A smaller picture has too few pixels to recognise a garment. */
const minEdge = 48

/** Tags and measures a picture's garment. Returns null for a label if `mayBeLabel`. Throws `PictureError`. */
export async function tagPicture(
  bytes: Uint8Array,
  hints: PictureHints,
  mayBeLabel: boolean,
): Promise<TaggedPicture | null>
export async function tagPicture(bytes: Uint8Array, hints: PictureHints): Promise<TaggedPicture>
export async function tagPicture(
  bytes: Uint8Array,
  hints: PictureHints,
  mayBeLabel = false,
): Promise<TaggedPicture | null> {
  const { picture, scale, size, card, analysis, chosenRotation } = await analyseUpright(bytes, hints.rotation)
  if (mayBeLabel && looksLikeLabel(analysis.prediction.heads)) return null
  if (!isGarment(analysis)) throw noGarment()
  await yieldToEventLoop()
  const jpeg = encodeJpeg(picture)
  await yieldToEventLoop()
  const cmPerPixel = hints.cmPerPixel === undefined ? undefined : hints.cmPerPixel * scale
  const tagged = tagAnalysis(analysis, { ...hints, card, cmPerPixel })
  const view = toView(tagged, size, scale)
  const tagging = { ...tagged, ...measureInView(tagged, view) }
  return {
    tag: tagging.tag,
    measurements: { ...tagging.measurements },
    details: {
      ...buildDetails(tagging, (chosenRotation ?? 0) !== 0),
      ...(hints.itemType === undefined ? {} : { measuredAs: hints.itemType }),
      view,
    },
    copy: { jpeg, drawing: toDrawing(tagging, scale), hash: hashPicture(picture) },
    chosenRotation,
  }
}

/** Analyses a picture. Without a given rotation, turns a garment that is not upright and analyses it again. */
async function analyseUpright(bytes: Uint8Array, hint: Rotation | undefined) {
  const { picture, scale, size } = await decode(bytes, hint)
  const card = findCard(picture)
  await yieldToEventLoop()
  const analysis = await analysePicture(picture, card?.corners)
  const rotation = hint === undefined ? await chooseRotation(picture, analysis.prediction) : undefined
  if (rotation === undefined || rotation === 0)
    return { picture, scale, size, card, analysis, chosenRotation: rotation }
  const upright = rotate(picture, rotation)
  const uprightCard = findCard(upright)
  await yieldToEventLoop()
  return {
    picture: upright,
    scale,
    size: rotation === 180 ? size : ([size[1], size[0]] as const),
    card: uprightCard,
    analysis: await analysePicture(upright, uprightCard?.corners),
    chosenRotation: rotation,
  }
}

async function decode(bytes: Uint8Array, rotation: Rotation | undefined) {
  const decoded = await decodePicture(bytes, maxEdge, rotation)
  const { picture, size } = decoded
  if (Math.min(picture.width, picture.height) < minEdge) {
    const factor = Math.max(...size) / Math.max(picture.width, picture.height)
    throw new PictureError('too_small', { width: size[0], height: size[1], min: Math.ceil(minEdge * factor) })
  }
  return decoded
}

export interface ExaminedPicture {
  /** The given kind, or else the kind that can be recognised reliably. */
  readonly kind: PictureKind
  /** Width and height of the upright original. */
  readonly size: readonly [width: number, height: number]
  /** Degrees clockwise, after EXIF. Absent if a rotation was given, and for a picture that is listed unseen. */
  readonly chosenRotation?: Rotation | undefined
  /** Evidence and copy. Absent if the picture is only listed. */
  readonly tagged?: { readonly evidence: PictureEvidence; readonly copy: PictureCopy; readonly hasCard: boolean }
}

/**
 * Reads a further picture. Without a given kind, labels, details and pictures without a garment are only listed. Throws
 * `PictureError`.
 */
export async function examinePicture(
  bytes: Uint8Array,
  givenKind: PictureKind | '',
  rotation?: Rotation,
): Promise<ExaminedPicture> {
  if (isOnlyListed(givenKind)) {
    const { size } = await decode(bytes, rotation)
    return { kind: givenKind || 'other', size }
  }
  const { picture, scale, size, card, analysis, chosenRotation } = await analyseUpright(bytes, rotation)
  if (givenKind === '' && looksLikeLabel(analysis.prediction.heads)) return { kind: 'label', size, chosenRotation }
  if (!isGarment(analysis)) {
    if (givenKind === '' || givenKind === 'other') return { kind: 'other', size, chosenRotation }
    throw noGarment()
  }
  const { prediction, segmentation, colour, isDark } = analysis
  const { heads } = prediction
  const { shown, trust } = readScene({ ...analysis, ...heads, mask: segmentation.mask })
  const kind = givenKind || (shown === 'detail' || shown === 'worn' || shown === 'back' ? shown : 'other')
  if (kind === 'detail') return { kind, size, chosenRotation }
  await yieldToEventLoop()
  const drawing = toDrawing({ ...tagAnalysis(analysis, { attribute: {}, card }), lines: [] }, scale)
  const copy = { jpeg: encodeJpeg(picture), drawing, hash: hashPicture(picture) }
  const hasCard = card !== undefined && card.problem === undefined
  return { kind, size, chosenRotation, tagged: { evidence: { kind, heads, colour, trust, isDark }, copy, hasCard } }
}

function buildDetails(
  { ranked, shown, scaleSource, notes }: Tagging,
  isRotated: boolean,
): Omit<TaggingDetails, 'view'> {
  const probabilities = Object.entries(ranked).flatMap(([name, [best, ...others]]) =>
    best === undefined
      ? []
      : [[name, [best, ...alternativesOf(others)].map(({ probability }) => roundProbability(probability))]],
  )
  return {
    shown,
    scale: scaleSource,
    notes: isRotated ? [...notes, 'rotated'] : notes,
    probabilities: Object.fromEntries(probabilities),
    tagger: taggerVersion,
  }
}
