import { and, eq, exists, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { batchRaw, type Database } from '../platform/db/database.ts'
import { dailyCounts, deliveries, garments } from '../platform/db/schema.ts'
import { pictureKeys } from './pictures/annotated-picture.ts'
import { garmentNotFound } from './errors.ts'
import { begunBy, messagesOfBatch, type TaggingMessage } from './turns.ts'
import { removeFile, uploadedFileId } from './pictures/uploaded-file.ts'
import { log } from '../log.ts'
import { enqueueAll } from '../platform/queue/enqueue.ts'
import { dayOf } from '../time.ts'
import { countEnded } from '../events/count-ended.ts'
import { type DeliveryMessage, isToAnyEndpoint } from '../events/delivery.ts'
import { removeDeliveries, startDeliveries } from '../events/transitions.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'
import { removeStatements } from './transitions.ts'

interface DeletionDeps {
  readonly db: Database
  readonly pictures: R2Bucket
  readonly taggingQueue: Queue<TaggingMessage>
  readonly webhookQueue: Queue<DeliveryMessage>
}

const removedSchema = z.object({ picture_id: z.string(), image_url: z.string() }).optional()

/** Of a tenant. They outlive their garments, so no quota of garments bounds them. */
const maxDeletionDeliveriesPerDay = 20_000

/**
 * Deletes a garment in any state, with its deliveries, its annotated picture and its uploaded file, and counts its
 * quotas back. A run that is tagging it writes nothing afterwards. Endpoints that ask for `garment.deleted` get a
 * delivery, which outlives the garment, until the tenant has had those of a day. Throws 404 if there is none. At most
 * 15 queries.
 */
export async function deleteGarment(
  { db, pictures, taggingQueue, webhookQueue }: DeletionDeps,
  tenantId: string,
  uuid: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const ofGarment = and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))
  const isThere = exists(
    db
      .select({ one: sql`1` })
      .from(garments)
      .where(ofGarment),
  )
  const event = 'garment.deleted'
  const when = sql`${isThere} AND ${hasDeliveriesLeft(tenantId, nowMs)}`
  const delivery = startDeliveries(db, { event, tenantId, garmentUuid: uuid, when }, nowMs)
  const isStarted = and(isToAnyEndpoint(tenantId, uuid, 'deletion'), eq(deliveries.createdAt, nowMs), isThere)
  const started = sql`SELECT count(*) FROM ${deliveries} WHERE ${isStarted}`
  const made = { by, at: nowMs }
  const entry = recordEntry(db, { holderId: tenantId, action: event, subject: uuid }, made, isThere)
  const results = await batchRaw(db, [
    delivery.eraseFormer.getSQL(),
    delivery.statement.getSQL(),
    ...[
      countEnded(db, tenantId, 'deletion', started, nowMs),
      ...entry,
      ...removeDeliveries(db, { tenantId, garmentUuid: uuid, when: isThere }, nowMs),
    ].map((statement) => statement.getSQL()),
    ...removeStatements(tenantId, uuid, nowMs),
  ])
  const removed = removedSchema.parse(results.at(-1)?.results[0])
  if (removed === undefined) throw garmentNotFound()
  await Promise.all([
    tryToRecordDeletion(pictures, { kind: 'garment', tenantId, uuid }, nowMs),
    enqueueAll(taggingQueue, messagesOfBatch(tenantId, results, begunBy(nowMs))),
    enqueueAll(
      webhookQueue,
      delivery.messagesOf(results[1]?.results).map((body) => ({ body })),
    ),
  ])
  await removeStored({ db, pictures }, tenantId, removed)
}

const hasDeliveriesLeft = (tenantId: string, nowMs: number): SQL =>
  sql`coalesce(
    (SELECT count FROM ${dailyCounts} WHERE tenant_id = ${tenantId} AND day = ${dayOf(nowMs)} AND kind = 'deletion'), 0
  ) < ${maxDeletionDeliveriesPerDay}`

/** If this fails, the sweep removes both. */
async function removeStored(
  { db, pictures }: Pick<DeletionDeps, 'db' | 'pictures'>,
  tenantId: string,
  { picture_id, image_url }: NonNullable<z.infer<typeof removedSchema>>,
): Promise<void> {
  const fileId = uploadedFileId(image_url)
  if (fileId !== null) await removeFile({ db, pictures }, tenantId, fileId)
  try {
    await pictures.delete(pictureKeys(tenantId, picture_id))
  } catch (error) {
    log('warn', 'picture of a deleted garment not removed', { tenant: tenantId, error })
  }
}
