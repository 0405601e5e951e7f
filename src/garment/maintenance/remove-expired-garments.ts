import { sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { garments } from '../../db/schema.ts'
import type { ExpiringTenant } from '../../tenant/expiring-tenants.ts'
import { pictureKeys } from '../annotated-picture.ts'
import { deletePictures } from '../picture/delete-pictures.ts'
import { forgetFiles, subtractRows, textBytes } from '../../quota/statements.ts'
import { uploadedFileId, uploadedFileKey } from '../uploaded-file.ts'

interface ExpiredGarment {
  readonly tenantId: string
  readonly uuid: string
  readonly pictureId: string
  readonly imageUrl: string
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
    SELECT old.tenant_id AS tenantId, old.uuid, old.picture_id AS pictureId, old.image_url AS imageUrl
    FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${garments} AS old INDEXED BY garments_ended
    WHERE old.tenant_id = tenant.value ->> 'id' AND old.status IN ('complete', 'failed') AND old.ended_at IS NOT NULL
      AND old.created_at < tenant.value ->> 'beforeMs'
    LIMIT ${limit}`)
  if (expired.length === 0) return 0
  await deletePictures(pictures, expired.flatMap(keysOf))
  // One parameter for all of them, because a statement has at most 100. One that was uploaded again has another
  // picture.
  const keys = JSON.stringify(expired.map(({ tenantId, uuid, pictureId }) => [tenantId, uuid, pictureId]))
  const areRemoved = sql`
    (tenant_id, uuid, picture_id) IN (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(${keys}))`
  const [, deleted] = await batchRaw(db, [
    subtractRows(garments, areRemoved, { garments: sql`count(*)`, text_bytes: sql`sum(${textBytes})` }),
    sql`DELETE FROM ${garments} WHERE ${areRemoved}`,
    ...forgetFiles(expired.flatMap(fileOf)),
  ])
  return deleted?.meta.changes ?? 0
}

function fileOf({ tenantId, imageUrl }: ExpiredGarment) {
  const pictureId = uploadedFileId(imageUrl)
  return pictureId === null ? [] : [{ tenantId, pictureId }]
}

function keysOf({ tenantId, pictureId, imageUrl }: ExpiredGarment): string[] {
  const file = uploadedFileKey(tenantId, imageUrl)
  return file === null ? pictureKeys(tenantId, pictureId) : [...pictureKeys(tenantId, pictureId), file]
}
