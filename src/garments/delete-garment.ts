import { and, eq, exists, sql, type SQL } from 'drizzle-orm'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { dailyCounts, deliveries, garments } from '../platform/db/schema.ts'
import { pictureKeys } from './pictures/annotated-picture.ts'
import { garmentNotFound } from './errors.ts'
import { turnBatchId, messagesOfTurns, type TaggingMessage } from './turns.ts'
import { removeFile } from './pictures/uploaded-file.ts'
import { fileIdsOf, picturesOf } from './pictures/images.ts'
import { log } from '../log.ts'
import { enqueueAll } from '../platform/queue/enqueue.ts'
import { dayOf } from '../time.ts'
import { countEnded } from '../events/count-ended.ts'
import { type DeliveryMessage, isToAnyEndpoint } from '../events/delivery.ts'
import { removeDeliveries, startDeliveries } from '../events/transitions.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'
import { type RemovedGarment, removeStatements } from './transitions.ts'

interface DeletionDeps {
  readonly db: Database
  readonly pictures: R2Bucket
  readonly taggingQueue: Queue<TaggingMessage>
  readonly webhookQueue: Queue<DeliveryMessage>
}

/** They outlive their garments, so no quota of garments bounds them. */
const maxDeletionDeliveriesPerDay = 20_000

/**
 * Deletes a garment in any state, with its deliveries, its annotated pictures and its uploaded files, and counts its
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
  const countStarted = sql`SELECT count(*) FROM ${deliveries} WHERE ${isStarted}`
  const {
    started,
    passed,
    removed: [removed],
  } = await runBatch(db, {
    started: [delivery.eraseFormer, delivery.statement],
    counted: countEnded(db, tenantId, 'deletion', countStarted, nowMs),
    entry: recordEntry(db, { holderId: tenantId, action: event, subject: uuid }, { by, at: nowMs }, isThere),
    deliveries: removeDeliveries(db, { tenantId, garmentUuid: uuid, when: isThere }, nowMs),
    ...removeStatements(tenantId, uuid, nowMs),
  })
  if (removed === undefined) throw garmentNotFound()
  await Promise.all([
    tryToRecordDeletion(pictures, { kind: 'garment', tenantId, uuid }, nowMs),
    enqueueAll(taggingQueue, messagesOfTurns(tenantId, passed[0]?.turns, turnBatchId(nowMs))),
    enqueueAll(
      webhookQueue,
      delivery.messagesOf(started).map((body) => ({ body })),
    ),
  ])
  await removeStored({ db, pictures }, tenantId, removed)
}

const hasDeliveriesLeft = (tenantId: string, nowMs: number): SQL =>
  sql`coalesce(
    (SELECT count FROM ${dailyCounts} WHERE tenant_id = ${tenantId} AND day = ${dayOf(nowMs)} AND kind = 'deletion'), 0
  ) < ${maxDeletionDeliveriesPerDay}`

/** If this fails, the sweep removes the rest. */
async function removeStored(
  { db, pictures }: Pick<DeletionDeps, 'db' | 'pictures'>,
  tenantId: string,
  removed: RemovedGarment,
): Promise<void> {
  for (const id of fileIdsOf(removed)) await removeFile({ db, pictures }, tenantId, id)
  try {
    await pictures.delete(picturesOf(removed).flatMap((id) => pictureKeys(tenantId, id)))
  } catch (error) {
    log('warn', 'picture of a deleted garment not removed', { tenant: tenantId, error })
  }
}
