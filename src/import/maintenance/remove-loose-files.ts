import { sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { unreferencedFiles } from '../../db/schema.ts'
import { beingRemoved } from '../../garment/file/leave-file.ts'
import { forgetFiles } from '../../quota/statements.ts'
import { fileKey } from '../../garment/uploaded-file.ts'
import { hourMs } from '../../time.ts'

/** Longer than a file takes to arrive. */
const graceMs = hourMs

/** Below 1,000, the most that R2 deletes at once. */
const maxFiles = 500

/**
 * Removes files of interrupted uploads and files that no garment needs. The rows decide first: from then on nothing can
 * keep such a file any more. They are deleted last, so that an interruption leaves no file behind.
 */
export async function removeUnreferencedFiles(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  nowMs: number,
): Promise<void> {
  const old = await db.all<{ tenantId: string; pictureId: string }>(sql`
    UPDATE ${unreferencedFiles} SET since = ${beingRemoved}
    WHERE (tenant_id, picture_id) IN (
      SELECT tenant_id, picture_id FROM ${unreferencedFiles} WHERE since < ${nowMs - graceMs}
      ORDER BY since LIMIT ${maxFiles})
    RETURNING tenant_id AS tenantId, picture_id AS pictureId`)
  if (old.length === 0) return
  await pictures.delete(old.map(({ tenantId, pictureId }) => fileKey(tenantId, pictureId)))
  const keys = JSON.stringify(old.map(({ tenantId, pictureId }) => [tenantId, pictureId]))
  await batchRaw(db, [
    ...forgetFiles(old),
    sql`
      DELETE FROM ${unreferencedFiles}
      WHERE (tenant_id, picture_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`,
  ])
}
