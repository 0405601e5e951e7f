import { type Drawing, toDrawing } from './annotate/clean-copy.ts'
import { findCard } from './card/find-card.ts'
import { analyse, tagAnalysis } from './tag-analysis.ts'
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
import type { PictureEvidence } from './combine-pictures.ts'
import { toView } from './measure/original-lines.ts'
import type { View } from './view.ts'
import { type Known, type Tag, taggerVersion, type Tagging } from './tagging.ts'
import type { ItemType } from './taxonomy/item-types.ts'

/** What is known before; centimetres per pixel are those of the upright original. */
export type PictureHints = Omit<Known, 'card'>

/** What is stored of a tagging beside its values. */
export interface TaggingDetails {
  readonly shown: Presentation
  readonly scale: ScaleSource | null
  readonly notes: readonly NoteCode[]
  /** By attribute, of its value and of its alternatives in their order, rounded to 0.001. */
  readonly probabilities: Readonly<Record<string, readonly number[]>>
  readonly tagger: string
  /** The given item type, which all values but the tag's `Item Type` are for; absent where none was given. */
  readonly measuredAs?: ItemType | undefined
  readonly view: View
}

export interface TaggedPicture {
  readonly tag: Tag
  /** `Name (cm)` to centimetres, rounded to 0.5. */
  readonly measurements: Record<string, number>
  readonly details: TaggingDetails
  readonly copy: PictureCopy
}

/** What is kept of a picture: a JPEG of the size at which it was tagged, and what is drawn over it. */
export interface PictureCopy {
  readonly jpeg: Uint8Array
  readonly drawing: Drawing
  readonly hash: PictureHash
}

/** Tagging works on a copy of this size, which is stored. */
const maxEdge = 1280

/** In that copy: too few pixels to tell a garment from a speck. */
const minEdge = 48

/**
 * From the bytes of a picture to its tags, measurements and the copy that is kept. Throws `PictureError` for anything
 * that is wrong with the picture.
 */
export async function tagPicture(bytes: Uint8Array, hints: PictureHints): Promise<TaggedPicture> {
  const { picture, scale, size } = await decode(bytes)
  const card = findCard(picture)
  await yieldToEventLoop()
  const analysis = await analyse(picture, card?.corners)
  await yieldToEventLoop()
  const jpeg = encodeJpeg(picture)
  await yieldToEventLoop()
  const cmPerPixel = hints.cmPerPixel === undefined ? undefined : hints.cmPerPixel * scale
  const tagging = tagAnalysis(analysis, { ...hints, card, cmPerPixel })
  return {
    tag: tagging.tag,
    measurements: { ...tagging.measurements },
    details: {
      ...detailsOf(tagging),
      ...(hints.itemType === undefined ? {} : { measuredAs: hints.itemType }),
      view: toView(tagging, size, scale),
    },
    copy: { jpeg, drawing: toDrawing(tagging, scale), hash: hashPicture(picture) },
  }
}

/** Decodes a picture to the size at which it is tagged. */
async function decode(bytes: Uint8Array) {
  const decoded = await decodePicture(bytes, maxEdge)
  const { picture, size } = decoded
  if (Math.min(picture.width, picture.height) < minEdge) {
    const factor = Math.max(...size) / Math.max(picture.width, picture.height)
    throw new PictureError('too_small', { width: size[0], height: size[1], min: Math.ceil(minEdge * factor) })
  }
  return decoded
}

/** What is read from a further picture of a garment. */
export interface ExaminedPicture {
  /** As it was given, or else as far as it can be told reliably. */
  readonly kind: PictureKind
  /** Width and height of the upright original. */
  readonly size: readonly [width: number, height: number]
  /** What it says of the garment, and its copy. Absent where it is only listed. */
  readonly tagged?: { readonly evidence: PictureEvidence; readonly copy: PictureCopy; readonly hasCard: boolean }
}

/**
 * Reads what a further picture of a garment says. Without a given kind, one that shows no garment or only a part of one
 * is just listed. Throws `PictureError` for anything that is wrong with it.
 */
export async function examinePicture(bytes: Uint8Array, given: PictureKind | ''): Promise<ExaminedPicture> {
  const { picture, scale, size } = await decode(bytes)
  if (isOnlyListed(given)) return { kind: given || 'other', size }
  const card = findCard(picture)
  await yieldToEventLoop()
  const analysis = await analyse(picture, card?.corners).catch((error: unknown) => {
    if (given === '' || given === 'other') return null
    throw error
  })
  if (analysis === null) return { kind: 'other', size }
  const { prediction, segmentation, colour, isDark } = analysis
  const { heads } = prediction
  const { shown, trust } = readScene({ ...analysis, ...heads, mask: segmentation.mask })
  const kind = given || (shown === 'detail' || shown === 'worn' || shown === 'back' ? shown : 'other')
  if (kind === 'detail') return { kind, size }
  await yieldToEventLoop()
  const drawing = toDrawing({ ...tagAnalysis(analysis, { attribute: {}, card }), lines: [] }, scale)
  const copy = { jpeg: encodeJpeg(picture), drawing, hash: hashPicture(picture) }
  const hasCard = card !== undefined && card.problem === undefined
  return { kind, size, tagged: { evidence: { kind, heads, colour, trust, isDark }, copy, hasCard } }
}

function detailsOf({ ranked, shown, scaleSource, notes }: Tagging): Omit<TaggingDetails, 'view'> {
  const probabilities = Object.entries(ranked).flatMap(([name, [best, ...others]]) =>
    best === undefined
      ? []
      : [[name, [best, ...alternativesOf(others)].map(({ probability }) => roundProbability(probability))]],
  )
  return {
    shown,
    scale: scaleSource,
    notes,
    probabilities: Object.fromEntries(probabilities),
    tagger: taggerVersion,
  }
}
