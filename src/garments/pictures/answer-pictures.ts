import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { GarmentRow } from '../garment.ts'
import { drawnLines, parseCorrections } from '../corrections/correction.ts'
import { failureCode, failureCodes } from '../failure.ts'
import { pictureKinds } from '../../vision/scene.ts'
import { type Picture, parsePictures, rotations } from './garment-picture.ts'
import { annotatedCopyName, cutoutPath, picturePath } from './stored-copy.ts'
import { originalPath } from './uploaded-file.ts'

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/**
 * The name of an annotated picture in its address. Corrected lines add their hash to it, because clients cache a
 * picture for a year.
 */
export function annotatedName({ corrections }: Pick<GarmentRow, 'corrections'>, { copyId, role }: Picture): string {
  const name = annotatedCopyName(copyId)
  if (corrections === null || role !== 'measured') return name
  const lines = drawnLines(parseCorrections(corrections))
  return Object.keys(lines).length === 0 ? name : `${name}.${shortHash(JSON.stringify(lines))}`
}

const size = z.int().nullable()

export const imagesResponseSchema = z
  .array(
    z.object({
      id: z.string().openapi({ description: 'Identifies the picture within the tenant.' }),
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
      rotated: z.literal(rotations).openapi({
        description:
          'Degrees clockwise by which the picture was rotated after its EXIF orientation. `original_img` is not rotated.',
      }),
      width: size.openapi({ description: 'Of the upright original, in pixels; null until it was read.' }),
      height: size,
      failure_code: z
        .enum(['', ...failureCodes])
        .openapi({ description: 'Why it could not be used; empty if it can.' }),
    }),
  )
  .openapi({ description: "The garment's pictures in their order." })

/** The public URL of an uploaded file; otherwise the address that the client gave. */
export const originalUrl = (base: string, tenantId: string, { url, file }: Pick<Picture, 'url' | 'file'>): string =>
  file === null ? (url ?? '') : base + originalPath(tenantId, file.id)

type PicturesRow = Pick<GarmentRow, 'tenantId' | 'pictures' | 'corrections' | 'status' | 'failure'>

/**
 * Builds the pictures of a garment for responses.
 * @param base the service's address
 */
export function toImagesResponse(row: PicturesRow, base: string): z.infer<typeof imagesResponseSchema> {
  const all = parsePictures(row)
  return all.map((picture) => {
    const isTagged = row.status === 'complete' && (picture.role === 'tagged' || picture.role === 'measured')
    const isOnlyOneFailed = all.length === 1 && row.status === 'failed'
    return {
      id: picture.id,
      kind: picture.kind ?? picture.predictedKind ?? (picture === all[0] ? 'front' : null),
      original_img: originalUrl(base, row.tenantId, picture),
      annotated_img: isTagged ? base + picturePath(row.tenantId, annotatedName(row, picture)) : '',
      cutout_img: isTagged && picture.hasCutout ? base + cutoutPath(row.tenantId, picture.copyId) : '',
      rotated: picture.rotation,
      width: picture.width,
      height: picture.height,
      failure_code: failureCode(picture.failure ?? (isOnlyOneFailed ? row.failure : null)),
    }
  })
}
