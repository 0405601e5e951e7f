import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { parseCorrections } from '../correction/rules/correction.ts'
import type { Database } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { attributeSchema } from '../garment/fields.ts'
import { isPaused, pauseChangedAt } from '../pause/is-paused.ts'
import type { TaggingMessage } from '../garment/tagging-message.ts'
import { allowsOpinion } from '../second-opinion/permission.ts'
import { findStudio, parseStudios, studiosIfNamed } from '../studio/find-studio.ts'
import { isItemType } from '../vision/taxonomy/item-types.ts'

export type QueuingGarment = NonNullable<Awaited<ReturnType<typeof findQueuingGarment>>>

/**
 * The garment of a message, with the scale of its studio, and the item type and lines that people have corrected; null
 * if it has ended, was deleted, is being tagged, or was uploaded again since.
 */
export async function findQueuingGarment(db: Database, { tenantId, uuid, pictureId }: TaggingMessage) {
  const [row] = await db
    .select({
      tenantId: garments.tenantId,
      uuid: garments.uuid,
      imageUrl: garments.imageUrl,
      attribute: garments.attribute,
      corrections: garments.corrections,
      origin: garments.origin,
      pictureId: garments.pictureId,
      claimId: garments.claimId,
      tries: garments.tries,
      createdAt: garments.createdAt,
      endedAt: garments.endedAt,
      isPaused: isPaused('tagging', tenantId),
      pauseChangedAt: pauseChangedAt(tenantId),
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
  const attribute = attributeSchema.parse(JSON.parse(garment.attribute))
  const { tag, lines } = parseCorrections(garment.corrections)
  const chosen = tag['Item Type']?.value ?? ''
  return {
    ...garment,
    cmPerPixel: findStudio(parseStudios(found), attribute)?.cm_per_pixel,
    itemType: isItemType(chosen) ? chosen : undefined,
    lines: Object.fromEntries(Object.entries(lines).map(([name, { points }]) => [name, points])),
  }
}
