import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { GarmentRow } from '../garment.ts'
import { drawnLines, parseCorrections } from '../corrections/correction.ts'
import { failureCode, failureCodes } from '../failure.ts'
import { type PictureKind, pictureKinds } from '../../vision/scene.ts'
import { annotatedId, cutoutPath, newPictureId, picturePath, severalPrefix } from './annotated-picture.ts'
import { contentOf, originalPath, uploadedFileId } from './uploaded-file.ts'

/** A picture of a garment as the client gave it. */
export interface Image {
  /** As `imageUrl` of the garment. */
  readonly url: string
  /** Empty if the client did not say what it shows. */
  readonly kind: PictureKind | ''
}

/**
 * Further pictures are in their garment's row, not in a table of their own: whatever reads, replaces or removes the
 * garment has them at no further row or statement, and most garments have one picture.
 */
type ImageColumns = Pick<GarmentRow, 'imageUrl' | 'images' | 'imagesId' | 'imageResults' | 'pictureId' | 'corrections'>

export type PictureIds = Pick<GarmentRow, 'pictureId' | 'imagesId'>

const storedKind = z.enum(['', ...pictureKinds])

const imagesSchema = z.array(z.tuple([z.string(), storedKind]))

/**
 * The stored form, with the same text for the same pictures: empty for one of no given kind, so that it costs nothing.
 * The first one's address is a column of its own.
 */
export const formatImages = (images: readonly Image[]): string =>
  images.length === 1 && images[0]?.kind === ''
    ? ''
    : JSON.stringify(images.map(({ url, kind }, index) => [index === 0 ? '' : url, kind]))

/** The columns of a garment with these pictures. */
export const imageColumns = (images: readonly Image[]) => ({
  imageUrl: images[0]?.url ?? '',
  images: formatImages(images),
})

export function parseImages({ imageUrl, images }: Pick<GarmentRow, 'imageUrl' | 'images'>): readonly Image[] {
  if (images === '') return [{ url: imageUrl, kind: '' }]
  return imagesSchema
    .parse(JSON.parse(images))
    .map(([url, kind], index) => ({ url: index === 0 ? imageUrl : url, kind }))
}

/** What identifies pictures as a client sent them. */
export const contentOfImages = (row: Pick<GarmentRow, 'imageUrl' | 'images'>): string =>
  JSON.stringify(parseImages(row).map(({ url, kind }) => [contentOf(url), kind]))

/** The uploaded files among them. */
export const fileIdsOf = (row: Pick<GarmentRow, 'imageUrl' | 'images'>): string[] =>
  parseImages(row).flatMap(({ url }) => uploadedFileId(url) ?? [])

/** What names a garment's annotated pictures: the first one, and the further ones together. */
export const picturesOf = ({ pictureId, imagesId }: PictureIds): string[] =>
  imagesId === '' ? [pictureId] : [pictureId, imagesId]

/** Names a picture within its garment, in whatever place it is. */
export const imageId = (url: string): string => shortHash(contentOf(url) ?? '')

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** A new value of `imagesId`; empty for a single picture. */
export const newImagesId = (images: string): string => (hasSeveral(images) ? severalPrefix + newPictureId() : '')

/** `images` as stored. */
export const hasSeveral = (images: string) => images !== '' && imagesSchema.parse(JSON.parse(images)).length > 1

/** What a picture is to its garment once it was tagged. */
const roles = ['failed', 'listed', 'uncut', 'tagged', 'measured'] as const

type ImageRole = (typeof roles)[number]

/** What tagging said of one of several pictures. */
export interface ImageResult {
  readonly kind: PictureKind | ''
  /** As `storeFailure` gives it; empty if the picture is fine. */
  readonly failure: string
  /** Width and height of the upright original; zeros if it failed. */
  readonly size: readonly [width: number, height: number]
  /**
   * `listed`: not tagged, since it shows a label or a detail. `uncut`: tagged, but without a cut-out. `measured`: the
   * one that the measurements are of.
   */
  readonly role: ImageRole
}

const resultsSchema = z.array(z.tuple([storedKind, z.string(), z.int(), z.int(), z.enum(roles)]))

export const formatImageResults = (results: readonly ImageResult[]): string =>
  JSON.stringify(results.map(({ kind, failure, size, role }) => [kind, failure, ...size, role]))

const parseImageResults = (stored: string): readonly ImageResult[] =>
  stored === ''
    ? []
    : resultsSchema
        .parse(JSON.parse(stored))
        .map(([kind, failure, width, height, role]) => ({ kind, failure, size: [width, height], role }))

/** The place of the first picture in one of these roles; the first of all if none is. */
function placeOf({ imageResults }: Pick<GarmentRow, 'imageResults'>, wanted: readonly ImageRole[]): number {
  return Math.max(
    parseImageResults(imageResults).findIndex(({ role }) => wanted.includes(role)),
    0,
  )
}

/** The place of the picture that stands for the garment: the first one that was tagged. */
export const shownPlace = (row: Pick<GarmentRow, 'imageResults'>) => placeOf(row, ['uncut', 'tagged', 'measured'])

/** The place of the picture that the measurements and their lines are of. */
export const measuredPlace = (row: Pick<GarmentRow, 'imageResults'>) => placeOf(row, ['measured'])

export const measuredUrl = (row: Pick<GarmentRow, 'imageUrl' | 'images' | 'imageResults'>): string =>
  parseImages(row)[measuredPlace(row)]?.url ?? row.imageUrl

/**
 * The name of an annotated picture in its address. The lines that people have put right are part of it, because a
 * picture is cached for a year.
 */
export function annotatedName(
  row: Pick<GarmentRow, 'pictureId' | 'imagesId' | 'imageResults' | 'corrections'>,
  place: number,
): string {
  const id = annotatedId(row, place)
  if (row.corrections === null || place !== measuredPlace(row)) return id
  const lines = drawnLines(parseCorrections(row.corrections))
  return Object.keys(lines).length === 0 ? id : `${id}.${shortHash(JSON.stringify(lines)).slice(0, 8)}`
}

const size = z.int().nullable()

export const imagesResponseSchema = z
  .array(
    z.object({
      id: z.string().openapi({ description: 'Names the picture within its garment.' }),
      kind: z
        .enum(pictureKinds)
        .nullable()
        .openapi({ description: 'What it shows, as you said or as was predicted; null until then.' }),
      original_img: z.string().openapi({ description: 'The address that you gave, or that of the file you uploaded.' }),
      annotated_img: z
        .string()
        .openapi({ description: 'As that of the garment; empty if it failed, or shows a label, a detail or a flaw.' }),
      cutout_img: z.string().openapi({
        description:
          'The address of the garment alone on white, `?background=none` without anything behind it, `?ratio=4:5` instead of ' +
          'square; empty where it is worn or shown in part, or its outline is not sure.',
      }),
      width: size.openapi({ description: 'Of the upright original, in pixels; null until it was read.' }),
      height: size,
      failure_code: z
        .enum(['', ...failureCodes])
        .openapi({ description: 'Why it could not be used; empty if it can.' }),
    }),
  )
  .openapi({ description: "The garment's pictures in their order." })

interface Shown {
  /** The service's address. */
  readonly base: string
  /** Whether the picture that the measurements are of has a cut-out. */
  readonly isCutOut: boolean
  /** For a single picture: whether it is annotated, its size and its failure. */
  readonly isAnnotated: boolean
  readonly size: readonly [width: number, height: number] | undefined
  readonly failure: string
}

/** The pictures of a garment as they are answered. */
export function toImagesResponse(
  row: ImageColumns & Pick<GarmentRow, 'tenantId'>,
  { base, isCutOut, ...single }: Shown,
): z.infer<typeof imagesResponseSchema> {
  const [images, results] = [parseImages(row), parseImageResults(row.imageResults)]
  const isSingle = images.length === 1
  return images.map(({ url, kind }, place) => {
    const result = results[place]
    const { failure, size } = result ?? (isSingle ? single : { failure: '', size: undefined })
    const isAnnotated = result === undefined ? single.isAnnotated && isSingle : isTagged(result)
    const original = originalPath(row.tenantId, url)
    const [width, height] = size === undefined || size[0] === 0 ? [null, null] : size
    return {
      id: imageId(url),
      kind: kind || result?.kind || (place === 0 ? 'front' : null),
      original_img: original === null ? url : `${base}${original}`,
      annotated_img: isAnnotated ? `${base}${picturePath(row.tenantId, annotatedName(row, place))}` : '',
      cutout_img:
        isAnnotated && (result?.role === 'tagged' || (result?.role !== 'uncut' && isCutOut))
          ? `${base}${cutoutPath(row.tenantId, annotatedId(row, place))}`
          : '',
      width,
      height,
      failure_code: failureCode(failure),
    }
  })
}

const isTagged = ({ role }: ImageResult) => role !== 'failed' && role !== 'listed'
