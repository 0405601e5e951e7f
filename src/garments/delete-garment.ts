import { and, eq, sql, type SQL } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { dailyCounts, deliveries, garments } from '../platform/db/schema.ts'
import { copyKeys } from './pictures/stored-copy.ts'
import type { TaggingMessage } from './turns.ts'
import { removeFile } from './pictures/uploaded-file.ts'
import { fileIdsOf, parsePictures } from './pictures/garment-picture.ts'
import { log } from '../log.ts'
import { enqueueAll } from '../platform/queue/enqueue.ts'
import { dayMs, dayOf } from '../time.ts'
import { countEnded, removeDeliveries, startDeliveries } from '../events/delivery-transitions.ts'
import { type DeliveryMessage, isToAnyEndpoint } from '../events/delivery.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'
import { binDays } from './bin.ts'
import { binStatements, type RemovedGarment, removeStatements } from './transitions.ts'

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
 * 17 queries.
 */
export async function deleteGarment(
  deps: DeletionDeps,
  tenantId: string,
  uuid: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const action = 'garment.deleted'
  const statements = removeStatements(tenantId, uuid, nowMs)
  const {
    removed: [removed],
  } = await takeAway(deps, { tenantId, uuid, action, statements }, nowMs, by)
  if (removed === undefined) throw new ApiError('garment_not_found')
  await tryToRecordDeletion(deps.pictures, { kind: 'garment', tenantId, uuid }, nowMs)
  await removeStored(deps, tenantId, removed)
}

/**
 * Puts a garment in any state into the bin for 30 days. For everything but the bin it is deleted, as `deleteGarment`
 * does it and says it to receivers, but it keeps its pictures, its uuid and its share of the quotas. Throws 404.
 */
export async function binGarment(
  deps: Omit<DeletionDeps, 'pictures'>,
  tenantId: string,
  uuid: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const statements = binStatements(tenantId, uuid, nowMs + binDays * dayMs, nowMs)
  const { removed } = await takeAway(deps, { tenantId, uuid, action: 'garment.binned', statements }, nowMs, by)
  if (removed.length === 0) throw new ApiError('garment_not_found')
}

interface TakenAway<Removed> {
  readonly tenantId: string
  readonly uuid: string
  readonly action: 'garment.deleted' | 'garment.binned'
  /** That take the garment from its table. */
  readonly statements: {
    readonly turns: SQL<TaggingMessage>
    readonly removed: SQL<Removed>
  } & Readonly<Record<string, SQL>>
}

/** What it has in common, for receivers too, when a garment is deleted and when it is put into the bin. */
async function takeAway<Removed>(
  { db, taggingQueue, webhookQueue }: Omit<DeletionDeps, 'pictures'>,
  { tenantId, uuid, action, statements }: TakenAway<Removed>,
  nowMs: number,
  by: Actor,
) {
  const ofGarment = and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))
  const isThere = hasRow(garments, ofGarment)
  const when = sql`${isThere} AND ${hasDeliveriesLeft(tenantId, nowMs)}`
  const delivery = startDeliveries(db, { event: 'garment.deleted', tenantId, garmentUuid: uuid, when }, nowMs)
  const isStarted = and(isToAnyEndpoint(tenantId, uuid, 'deletion'), eq(deliveries.createdAt, nowMs), isThere)
  const countStarted = sql`SELECT count(*) FROM ${deliveries} WHERE ${isStarted}`
  const { started, turns, removed } = await runBatch(db, {
    started: delivery.statements,
    deletions: countEnded(db, tenantId, 'deletion', countStarted, nowMs),
    entry: recordEntry(db, { holderId: tenantId, action, subject: uuid }, { by, at: nowMs }, isThere),
    deliveries: removeDeliveries(db, { tenantId, garmentUuid: uuid, when: isThere }, nowMs),
    ...statements,
  })
  await Promise.all([enqueueAll(taggingQueue, turns), enqueueAll(webhookQueue, delivery.messagesOf(started))])
  return { removed }
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
  const all = parsePictures(removed)
  for (const id of fileIdsOf(all)) await removeFile({ db, pictures }, tenantId, id)
  try {
    await pictures.delete(all.flatMap(({ copyId }) => copyKeys(tenantId, copyId)))
  } catch (error) {
    log('warn', 'picture of a deleted garment not removed', { tenant: tenantId, error })
  }
}
