import { and, eq, sql } from 'drizzle-orm'
import { prepareBatchOnce } from '../db/prepare-once.ts'
import { garments, waitingGarments } from '../db/schema.ts'
import { selectValues } from '../db/select-values.ts'

interface StoredUpload {
  readonly image_url: string
  readonly attribute: string
  readonly picture_id: string
}

/**
 * Stores an upload, in one round trip: a new garment, or one that failed, which it restarts; leaves any other unchanged.
 * The second statement counts it as waiting and breaks the batch by the constraint `waiting_garments_limit` if the tenant
 * has too many. The third reads what is now stored.
 */
export const runUpload = prepareBatchOnce<StoredUpload>((db) => {
  const value = (name: string) => sql`${sql.placeholder(name)}`
  const row = {
    tenantId: value('tenantId'),
    uuid: value('uuid'),
    imageUrl: value('imageUrl'),
    attribute: value('attribute'),
    origin: value('origin'),
    status: 'queuing' as const,
    tries: 0,
    claimId: null,
    leaseUntil: null,
    dueAt: value('dueAt'),
    failureReason: '',
    pictureId: value('pictureId'),
    tag: null,
    measurements: null,
    corrections: null,
    reviewSession: null,
    reviewUntil: null,
    description: '',
    createdAt: value('nowMs'),
    endedAt: null,
  }
  const isSame = and(eq(garments.tenantId, value('tenantId')), eq(garments.uuid, value('uuid')))
  const maxWaiting = value('maxWaiting')
  const counter = { tenantId: value('tenantId'), waiting: 1, maxWaiting, day: '', complete: 0, failed: 0 }
  return [
    db
      .insert(garments)
      .values(row)
      .onConflictDoUpdate({
        target: [garments.tenantId, garments.uuid],
        set: row,
        setWhere: eq(garments.status, 'failed'),
      }),
    db
      .insert(waitingGarments)
      .select(
        db
          .select(selectValues(waitingGarments, counter))
          .from(garments)
          .where(and(isSame, eq(garments.pictureId, value('pictureId')))),
      )
      .onConflictDoUpdate({
        target: waitingGarments.tenantId,
        set: { waiting: sql`${waitingGarments.waiting} + 1`, maxWaiting },
      }),
    db
      .select({ image_url: garments.imageUrl, attribute: garments.attribute, picture_id: garments.pictureId })
      .from(garments)
      .where(isSame),
  ]
})
