import { and, count, eq, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { type Database, inRows, runBatch } from '../platform/db/database.ts'
import {
  binnedGarments,
  garments,
  hiddenPictures,
  pictures as storedPictures,
  tenantCounters,
} from '../platform/db/schema.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { copyKeys, deleteBelow, deleteObjects, tenantPicturesPrefix } from './pictures/stored-copy.ts'
import { subtractRows } from '../platform/db/count-rows.ts'
import { forgetFiles } from '../accounts/quotas.ts'
import { deletePictures, fileIdsOf, parsePictures, selectPictures } from './pictures/garment-picture.ts'
import { fileKey } from './pictures/uploaded-file.ts'
import { expireStatement, garmentAmounts, purgeStatement } from './transitions.ts'

export interface ExpiredGarment {
  readonly tenantId: string
  readonly uuid: string
  readonly revision: string
  readonly pictures: string
}

/** Removes pictures first, so that after an interruption the rows still lead to them. Returns how many garments. */
export async function removeExpiredGarments(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  tenants: readonly ExpiringTenant[],
  limit: number,
): Promise<number> {
  // Goes from tenant to tenant, so that the index finds old garments. CROSS JOIN keeps SQLite from reordering.
  const expired = await db.all<ExpiredGarment>(sql`
    SELECT old.tenant_id AS tenantId, old.uuid, old.revision, ${selectPictures('old')} AS pictures
    FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${garments} AS old INDEXED BY garments_ended
    WHERE old.tenant_id = tenant.value ->> 'id' AND old.ended_at IS NOT NULL
      AND old.created_at < tenant.value ->> 'beforeMs'
    LIMIT ${limit}`)
  if (expired.length === 0) return 0
  await deleteObjects(pictures, expired.flatMap(keysOf))
  // A garment that was uploaded again has another revision.
  const keys = expired.map(({ tenantId, uuid, revision }) => [tenantId, uuid, revision])
  const areRemoved = inRows(['tenant_id', 'uuid', 'revision'], keys)
  const { deleted } = await runBatch(db, {
    counted: subtractRows(garments, areRemoved, garmentAmounts),
    pictures: deletePictures(sql`SELECT tenant_id, uuid FROM ${garments} WHERE ${areRemoved}`),
    deleted: expireStatement(db, areRemoved),
    files: forgetFiles(db, expired.flatMap(filesOf)),
  })
  return deleted.meta.changes
}

export const filesOf = (garment: ExpiredGarment) =>
  fileIdsOf(parsePictures(garment)).map((fileId) => ({ tenantId: garment.tenantId, fileId }))

export const keysOf = (garment: ExpiredGarment): string[] => [
  ...parsePictures(garment).flatMap(({ copyId }) => copyKeys(garment.tenantId, copyId)),
  ...filesOf(garment).map(({ fileId }) => fileKey(garment.tenantId, fileId)),
]

/** Counts a tenant's ended garments that were uploaded before `beforeMs`, up to `limit`. */
export async function countOlderGarments(
  db: Database,
  tenantId: string,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<number> {
  const older = db
    .select({ uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), isNotNull(garments.endedAt), lt(garments.createdAt, beforeMs)))
    .limit(limit)
    .as('older')
  const [row] = await db.select({ count: count() }).from(older)
  return row?.count ?? 0
}

/** Removes at most `limit` rows of each table and `limit` pictures. Returns how many were removed. */
export async function purgeGarments(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  tenantId: string,
  limit: number,
): Promise<number> {
  const deleted = await deleteBelow(pictures, tenantPicturesPrefix(tenantId), limit)
  const {
    removed,
    binned,
    pictures: rows,
    hidden,
  } = await runBatch(db, {
    removed: purgeStatement(db, garments, tenantId, limit),
    binned: purgeStatement(db, binnedGarments, tenantId, limit),
    pictures: sql<{ id: string }>`
      DELETE FROM ${storedPictures} WHERE rowid IN (
        SELECT rowid FROM ${storedPictures} WHERE tenant_id = ${tenantId} LIMIT ${limit})
      RETURNING id`,
    hidden: db
      .delete(hiddenPictures)
      .where(
        and(
          eq(hiddenPictures.tenantId, tenantId),
          inArray(
            hiddenPictures.key,
            db
              .select({ key: hiddenPictures.key })
              .from(hiddenPictures)
              .where(eq(hiddenPictures.tenantId, tenantId))
              .limit(limit),
          ),
        ),
      ),
    counters: db.delete(tenantCounters).where(eq(tenantCounters.tenantId, tenantId)),
  })
  return deleted + removed.meta.changes + binned.meta.changes + hidden.meta.changes + rows.length
}
