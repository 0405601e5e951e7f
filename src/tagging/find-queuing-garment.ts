import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { parseCorrections } from '../garments/corrections/correction.ts'
import type { Database } from '../platform/db/database.ts'
import { garments } from '../platform/db/schema.ts'
import { parseAttribute } from '../garments/fields.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import type { TaggingMessage } from '../garments/turns.ts'
import { allowsOpinion } from '../accounts/second-opinion.ts'
import { findStudio, parseStudios, studiosIfNamed } from '../garments/studios.ts'
import { getFormat } from '../vision/image/formats.ts'
import { isItemType } from '../vision/taxonomy/item-types.ts'
import { uploadedFileKey } from '../garments/pictures/uploaded-file.ts'
import { ImageError, type Intake, readImage, type Reserve } from '../platform/outbound/fetch-image.ts'
import type { TaggingDeps } from './deps.ts'

export type QueuingGarment = NonNullable<Awaited<ReturnType<typeof findQueuingGarment>>>

/**
 * The garment of a message, with the scale of its studio, and the item type that people have corrected; null if it has
 * ended, was deleted, is being tagged, or was uploaded again since.
 */
export async function findQueuingGarment(db: Database, { tenantId, uuid, pictureId }: TaggingMessage) {
  const [row] = await db
    .select({
      tenantId: garments.tenantId,
      uuid: garments.uuid,
      imageUrl: garments.imageUrl,
      images: garments.images,
      imagesId: garments.imagesId,
      attribute: garments.attribute,
      corrections: garments.corrections,
      origin: garments.origin,
      pictureId: garments.pictureId,
      claimId: garments.claimId,
      tries: garments.tries,
      createdAt: garments.createdAt,
      endedAt: garments.endedAt,
      isPaused: isPaused('tagging', tenantId),
      allowsOpinion: allowsOpinion(tenantId),
      studios: studiosIfNamed,
    })
    .from(garments)
    .where(
      and(
        eq(garments.tenantId, tenantId),
        eq(garments.uuid, uuid),
        // Queuing, or complete and to be tagged again.
        isNotNull(garments.dueAt),
        isNull(garments.claimId),
        eq(garments.pictureId, pictureId),
      ),
    )
  if (row === undefined) return null
  const { studios: found, ...garment } = row
  const attribute = parseAttribute(garment.attribute)
  const { tag } = parseCorrections(garment.corrections)
  const chosen = tag['Item Type']?.value ?? ''
  return {
    ...garment,
    cmPerPixel: findStudio(parseStudios(found), attribute)?.cm_per_pixel,
    itemType: isItemType(chosen) ? chosen : undefined,
  }
}

/**
 * The bytes of one of a garment's pictures, from its address or from the file that was uploaded. Throws `ImageError`
 * and `NoRoomError`, and `PictureError` as soon as the first bytes are not those of a picture.
 */
export async function readPicture(
  { fetchImage, pictures, settings }: TaggingDeps,
  { tenantId, origin }: Pick<QueuingGarment, 'tenantId' | 'origin'>,
  imageUrl: string,
  reserve: Reserve,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = uploadedFileKey(tenantId, imageUrl)
  const intake: Intake = { reserve, checkStart: getFormat }
  if (key === null) return await fetchImage(imageUrl, { settings, ownOrigin: origin }, intake)
  const file = await pictures.get(key)
  if (file === null) throw new ImageError('permanent', 'file_removed')
  return await readImage({ body: file.body, declared: file.size }, intake)
}
