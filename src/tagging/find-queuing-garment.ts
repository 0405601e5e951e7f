import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { garments } from '../platform/db/schema.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { parseCorrections } from '../garments/corrections/correction.ts'
import { parseAttribute } from '../garments/garment-fields.ts'
import { selectPictures } from '../garments/pictures/garment-picture.ts'
import { findStudio, parseStudios, studiosIfNamed } from '../garments/studios.ts'
import { isActive, type TaggingMessage } from '../garments/turns.ts'
import { isItemType } from '../vision/taxonomy/item-types.ts'

export type QueuingGarment = NonNullable<Awaited<ReturnType<typeof findQueuingGarment>>>

/** Finds a message's garment with its studio's scale and corrected item type. Returns null if it no longer waits. */
export async function findQueuingGarment(db: Database, { tenantId, uuid, revision }: TaggingMessage) {
  const [row] = await db
    .select({
      tenantId: garments.tenantId,
      uuid: garments.uuid,
      number: garments.number,
      pictures: selectPictures('garments'),
      attribute: garments.attribute,
      corrections: garments.corrections,
      origin: garments.origin,
      revision: garments.revision,
      claimId: garments.claimId,
      tries: garments.tries,
      createdAt: garments.createdAt,
      endedAt: garments.endedAt,
      cropBytes: garments.cropBytes,
      /** 1 if the last result says that the service rotated the picture. */
      wasRotated: sql<0 | 1>`instr(coalesce(result -> 'notes', ''), '"rotated"') > 0`,
      isPaused: isPaused('tagging', tenantId),
      studios: studiosIfNamed,
    })
    .from(garments)
    .where(
      and(
        eq(garments.tenantId, tenantId),
        eq(garments.uuid, uuid),
        isActive,
        isNull(garments.claimId),
        eq(garments.revision, revision),
      ),
    )
  if (row === undefined) return null
  const { studios, ...garment } = row
  const attribute = parseAttribute(garment.attribute)
  const itemType = parseCorrections(garment.corrections).tag['Item Type']?.value ?? ''
  return {
    ...garment,
    cmPerPixel: findStudio(parseStudios(studios), attribute)?.cm_per_pixel,
    itemType: isItemType(itemType) ? itemType : undefined,
  }
}
