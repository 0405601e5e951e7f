import { and, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { subtractRows } from '../platform/db/count-rows.ts'
import { forgetFiles } from '../accounts/quotas.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import type { DeliveryMessage } from '../events/delivery.ts'
import { startDeliveries } from '../events/delivery-transitions.ts'
import { type Database, hasRow, inRows, runBatch } from '../platform/db/database.ts'
import { cutPage, olderThan, type PageRequest, parseCursor } from '../platform/db/page.ts'
import {
  binnedGarments,
  garments,
  hiddenPictures,
  pictures as storedPictures,
  unusedCopies,
} from '../platform/db/schema.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'
import { enqueueAll } from '../platform/queue/enqueue.ts'
import { deletePictures, selectPictures } from './pictures/garment-picture.ts'
import { deleteObjects } from './pictures/stored-copy.ts'
import { type ExpiredGarment, filesOf, keysOf } from './remove-expired-garments.ts'
import { eraseStatement, garmentAmounts, isRestorable, maxRunMs, restoreStatements } from './transitions.ts'
import type { TaggingMessage } from './turns.ts'
import { type UploadLimits, withinLimits } from './upload-garment.ts'

export const binDays = 30

type BinPage = PageRequest & { readonly nowMs: number }

export const cutBin = (rows: readonly BinnedGarment[], { limit }: BinPage) =>
  cutPage(rows, limit, (row) => ({ at: row.removeAt, id: row.uuid }))

export type BinnedGarment = typeof binnedGarments.$inferSelect & { readonly pictures: string }

/** Selects a page of the binned garments, newest first, and one more row for `cutBin`. */
export function binQuery(db: Database, tenantId: string, { limit, cursor, nowMs }: BinPage) {
  const { removeAt, uuid } = binnedGarments
  const position = parseCursor(cursor)
  return db
    .select({ ...getTableColumns(binnedGarments), pictures: selectPictures('binned_garments') })
    .from(binnedGarments)
    .where(
      and(eq(binnedGarments.tenantId, tenantId), gt(removeAt, nowMs), position && olderThan(removeAt, uuid, position)),
    )
    .orderBy(desc(removeAt), desc(uuid))
    .limit(limit + 1)
}

export async function findBinned(db: Database, tenantId: string, uuid: string, nowMs: number) {
  const [garment] = await db
    .select({ status: binnedGarments.status, pictures: selectPictures('binned_garments') })
    .from(binnedGarments)
    .where(isRestorable(tenantId, uuid, nowMs))
  return garment ?? null
}

const canBeRestored = (tenantId: string, uuid: string, nowMs: number) =>
  hasRow(binnedGarments, isRestorable(tenantId, uuid, nowMs))

interface RestoreDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly webhookQueue: Queue<DeliveryMessage>
  readonly limits: UploadLimits
}

/** Its completion is sent again, because receivers were told of the deletion. Throws 404, and 429 if too many wait. */
export async function restoreGarment(
  { db, taggingQueue, webhookQueue, limits }: RestoreDeps,
  tenantId: string,
  uuid: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const isEnded = (status: 'complete' | 'failed') =>
    hasRow(garments, and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid), eq(garments.status, status)))
  // Must precede the statement that empties the bin.
  const isInBin = canBeRestored(tenantId, uuid, nowMs)
  const { emptied, ...statements } = restoreStatements(db, tenantId, uuid, limits.maxWaiting, nowMs)
  const started = { tenantId, garmentUuid: uuid }
  const sent = (event: 'tagging.completed' | 'tagging.failed', status: 'complete' | 'failed') =>
    startDeliveries(db, { event, ...started, when: sql`${isInBin} AND ${isEnded(status)}` }, nowMs)
  const [completed, failed] = [sent('tagging.completed', 'complete'), sent('tagging.failed', 'failed')]
  const results = await withinLimits({ db, tenantId }, limits, async () =>
    runBatch(db, {
      entry: recordEntry(
        db,
        { holderId: tenantId, action: 'garment.restored', subject: uuid },
        { by, at: nowMs },
        isInBin,
      ),
      ...statements,
      completed: completed.statements,
      failed: failed.statements,
      shown: db
        .delete(hiddenPictures)
        .where(and(eq(hiddenPictures.tenantId, tenantId), eq(hiddenPictures.garmentUuid, uuid), isInBin)),
      emptied,
    }),
  )
  if (results.restored.length === 0) throw new ApiError('garment_not_found')
  const messages = [...completed.messagesOf(results.completed), ...failed.messagesOf(results.failed)]
  await Promise.all([enqueueAll(taggingQueue, results.turns), enqueueAll(webhookQueue, messages)])
}

interface Storage {
  readonly db: Database
  readonly pictures: R2Bucket
}

const removedColumns = {
  tenantId: binnedGarments.tenantId,
  uuid: binnedGarments.uuid,
  revision: binnedGarments.revision,
  pictures: selectPictures('binned_garments'),
}

/** Deletes garments in the bin permanently. Skips other garments. Returns how many were deleted. */
export async function eraseGarments(
  { db, pictures }: Storage,
  tenantId: string,
  uuids: readonly string[],
  nowMs: number,
  by: Actor,
): Promise<number> {
  const erased: ExpiredGarment[] = []
  for (const uuid of uuids) {
    // The garment can no longer be restored. If a later step fails, the sweep continues.
    const { marked } = await runBatch(db, {
      entry: recordEntry(
        db,
        { holderId: tenantId, action: 'garment.deleted', subject: uuid },
        { by, at: nowMs },
        canBeRestored(tenantId, uuid, nowMs),
      ),
      marked: db
        .update(binnedGarments)
        .set({ removeAt: 0 })
        .where(isRestorable(tenantId, uuid, nowMs))
        .returning(removedColumns),
    })
    if (marked.length > 0) await tryToRecordDeletion(pictures, { kind: 'garment', tenantId, uuid }, nowMs)
    erased.push(...marked)
  }
  await removeBinned({ db, pictures }, erased, nowMs)
  return erased.length
}

/** Removes at most `limit` garments whose time in the bin or retention period has ended. Returns how many. */
export async function emptyBin(
  { db, pictures }: Storage,
  { tenants, nowMs }: { readonly tenants: readonly ExpiringTenant[]; readonly nowMs: number },
  limit: number,
): Promise<number> {
  // Marks the rows first, so that nobody restores a garment whose pictures are gone.
  const areDue = sql`(tenant_id, uuid) IN (
      SELECT * FROM (
        SELECT tenant_id, uuid FROM ${binnedGarments} WHERE remove_at <= ${nowMs} ORDER BY remove_at LIMIT ${limit}
      ) UNION SELECT * FROM (
        SELECT old.tenant_id, old.uuid
        FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${binnedGarments} AS old
        WHERE old.tenant_id = tenant.value ->> 'id' AND old.created_at < tenant.value ->> 'beforeMs'
        LIMIT ${limit}
      ) LIMIT ${limit})`
  const due = await db.update(binnedGarments).set({ removeAt: 0 }).where(areDue).returning(removedColumns)
  await removeBinned({ db, pictures }, due, nowMs)
  return due.length
}

/** Removes pictures and files first, so that after an interruption the rows still lead to them. */
async function removeBinned({ db, pictures }: Storage, rows: readonly ExpiredGarment[], nowMs: number) {
  if (rows.length === 0) return
  await deleteObjects(pictures, rows.flatMap(keysOf))
  const keys = rows.map(({ tenantId, uuid }) => [tenantId, uuid])
  const areRemoved = inRows(['tenant_id', 'uuid'], keys)
  await runBatch(db, {
    counted: subtractRows(binnedGarments, areRemoved, garmentAmounts),
    // A run that has already begun may still store its copies.
    running: sql`
      INSERT OR IGNORE INTO ${unusedCopies} (copy_id, tenant_id, remove_at)
      SELECT copy_id, tenant_id, ${nowMs + maxRunMs} FROM ${storedPictures} WHERE (tenant_id, garment_uuid) IN (
        SELECT tenant_id, uuid FROM ${binnedGarments} WHERE ${areRemoved} AND (queued_at IS NOT NULL OR due_at IS NOT NULL))`,
    pictures: deletePictures(sql`SELECT tenant_id, uuid FROM ${binnedGarments} WHERE ${areRemoved}`),
    removed: eraseStatement(db, areRemoved),
    hidden: db.delete(hiddenPictures).where(inRows(['tenant_id', 'garment_uuid'], keys)),
    files: forgetFiles(db, rows.flatMap(filesOf)),
  })
}
