import { createHash } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import type { GarmentRow } from '../garment.ts'
import { drawnLines, parseCorrections } from '../corrections/correction.ts'
import { failureCode, failureCodes } from '../failure.ts'
import { pictureKinds } from '../../vision/scene.ts'
import { hasCopy, type Picture, parsePictures, rotations } from './garment-picture.ts'
import { annotatedCopyName, copyPath, cutoutPath, picturePath, thumbnailPath } from './stored-copy.ts'
import { originalPath, uprightPath } from './uploaded-file.ts'

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8)

/** Clients cache a picture for a year, so the name of a picture with corrected lines includes their hash. */
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
      kind: z.enum(pictureKinds).nullable().openapi({
        description: 'What the picture shows: the kind you set, or the predicted one. Null until predicted.',
      }),
      original_img: z.string().openapi({ description: 'The URL that you sent, or the URL of your uploaded file.' }),
      annotated_img: z.string().openapi({
        description: 'The picture with measurement lines. Empty for labels, details, flaws and failed pictures.',
      }),
      cutout_img: z.string().openapi({
        description:
          'URL of the garment alone on white. Add `?background=none` for transparency, and `?ratio=` for another canvas. ' +
          'Empty if the garment is worn or only partly visible, or if its outline is uncertain.',
      }),
      rotated: z.literal(rotations).openapi({
        description:
          'Degrees clockwise by which the picture was rotated after its EXIF orientation, by the service or by you. ' +
          '`original_img` is not rotated.',
      }),
      width: size.openapi({ description: 'Pixels of the upright original. Null until it was read.' }),
      height: size,
      failure_code: z
        .enum(['', ...failureCodes])
        .openapi({ description: 'Why the picture could not be used. Empty if it was used.' }),
    }),
  )
  .openapi({ description: "The garment's pictures in their order." })

export const originalUrl = (base: string, tenantId: string, { url, file }: Pick<Picture, 'url' | 'file'>): string =>
  file === null ? (url ?? '') : base + originalPath(tenantId, file.id)

/** Returns the URL for shops: the original, or for a rotated picture an upright JPEG of it. */
export function publishedUrl(base: string, tenantId: string, picture: Picture): string {
  const { file, rotation, copyId } = picture
  if (!rotation) return originalUrl(base, tenantId, picture)
  if (file !== null) return base + uprightPath(tenantId, file.id, { rotated: rotation })
  return hasCopy(picture) ? base + copyPath(tenantId, copyId) : originalUrl(base, tenantId, picture)
}

/** Returns the path of a small picture for the dashboard, or null if only the client's server has the picture. */
export function smallPath(tenantId: string, picture: Picture): string | null {
  if (hasCopy(picture)) return thumbnailPath(tenantId, picture)
  const { file, rotation: rotated } = picture
  return file && uprightPath(tenantId, file.id, { rotated, size: 'thumbnail' })
}

type PicturesRow = Pick<GarmentRow, 'tenantId' | 'pictures' | 'corrections' | 'status' | 'failure'>

export function toImagesResponse(row: PicturesRow, base: string): z.infer<typeof imagesResponseSchema> {
  const all = parsePictures(row)
  return all.map((picture) => {
    const isTagged = row.status === 'complete' && hasCopy(picture)
    const isOnlyOneFailed = all.length === 1 && row.status === 'failed'
    return {
      id: picture.id,
      kind: picture.kind ?? picture.predictedKind ?? (picture === all[0] ? 'front' : null),
      original_img: originalUrl(base, row.tenantId, picture),
      annotated_img: isTagged ? base + picturePath(row.tenantId, annotatedName(row, picture)) : '',
      cutout_img:
        isTagged && picture.hasCutout && !picture.cutoutOff ? base + cutoutPath(row.tenantId, picture.copyId) : '',
      rotated: picture.rotation ?? 0,
      width: picture.width,
      height: picture.height,
      failure_code: failureCode(picture.failure ?? (isOnlyOneFailed ? row.failure : null)),
    }
  })
}
