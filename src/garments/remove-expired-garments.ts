import { eq, sql } from 'drizzle-orm'
import { type Database, inRows, runBatch } from '../platform/db/database.ts'
import { binnedGarments, garments, tenantCounters } from '../platform/db/schema.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { deleteBelow, deletePictures, pictureKeys, tenantPicturesPrefix } from './pictures/annotated-picture.ts'
import { forgetFiles, subtractRows, textBytes } from '../accounts/quotas.ts'
import { fileIdsOf, picturesOf } from './pictures/images.ts'
import { fileKey } from './pictures/uploaded-file.ts'
import { expireStatement, purgeStatement } from './transitions.ts'

export interface ExpiredGarment {
  readonly tenantId: string
  readonly uuid: string
  readonly pictureId: string
  readonly imagesId: string
  readonly imageUrl: string
  readonly images: string
}

/**
 * Removes at most `limit` ended garments that are older than their tenant's retention period, with their pictures.
 * Returns how many.
 *
 * Pictures are removed first, so that after an interruption the rows still lead to them.
 */
export async function removeExpiredGarments(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  tenants: readonly ExpiringTenant[],
  limit: number,
): Promise<number> {
  // From tenant to tenant, so that the index finds the old ones. CROSS JOIN keeps SQLite from choosing another order.
  const expired = await db.all<ExpiredGarment>(sql`
    SELECT old.tenant_id AS tenantId, old.uuid, old.picture_id AS pictureId, old.images_id AS imagesId,
      old.image_url AS imageUrl, old.images
    FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${garments} AS old INDEXED BY garments_ended
    WHERE old.tenant_id = tenant.value ->> 'id' AND old.ended_at IS NOT NULL
      AND old.created_at < tenant.value ->> 'beforeMs'
    LIMIT ${limit}`)
  if (expired.length === 0) return 0
  await deletePictures(pictures, expired.flatMap(keysOf))
  // One that was uploaded again has another picture.
  const keys = expired.map(({ tenantId, uuid, pictureId }) => [tenantId, uuid, pictureId])
  const areRemoved = inRows(['tenant_id', 'uuid', 'picture_id'], keys)
  const { deleted } = await runBatch(db, {
    counted: subtractRows(garments, areRemoved, { garments: sql`count(*)`, text_bytes: sql`sum(${textBytes})` }),
    deleted: expireStatement(db, areRemoved),
    files: forgetFiles(expired.flatMap(filesOf)),
  })
  return deleted.meta.changes
}

export const filesOf = (garment: ExpiredGarment) =>
  fileIdsOf(garment).map((pictureId) => ({ tenantId: garment.tenantId, pictureId }))

export const keysOf = (garment: ExpiredGarment): string[] => [
  ...picturesOf(garment).flatMap((id) => pictureKeys(garment.tenantId, id)),
  ...fileIdsOf(garment).map((id) => fileKey(garment.tenantId, id)),
]

/** How many ended garments of a tenant were uploaded before `beforeMs`, counted up to `limit`. */
export async function countOlderGarments(
  db: Database,
  tenantId: string,
  { beforeMs, limit }: { readonly beforeMs: number; readonly limit: number },
): Promise<number> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM ${garments} INDEXED BY garments_ended
      WHERE tenant_id = ${tenantId} AND ended_at IS NOT NULL AND created_at < ${beforeMs}
      LIMIT ${limit}
    )`)
  return row?.count ?? 0
}

/**
 * One step of removing everything of a deleted tenant: at most `limit` pictures and `limit` garments. Returns how many
 * were removed.
 */
export async function purgeGarments(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  tenantId: string,
  limit: number,
): Promise<number> {
  const deleted = await deleteBelow(pictures, tenantPicturesPrefix(tenantId), limit)
  const { removed, binned } = await runBatch(db, {
    removed: purgeStatement(db, garments, tenantId, limit),
    binned: purgeStatement(db, binnedGarments, tenantId, limit),
    counters: db.delete(tenantCounters).where(eq(tenantCounters.tenantId, tenantId)),
  })
  return deleted + removed.meta.changes + binned.meta.changes
}
