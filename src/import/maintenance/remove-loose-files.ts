import { asc, lt, sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { unreferencedFiles } from '../../db/schema.ts'
import { forgetFiles } from '../../quota/statements.ts'
import { fileKey } from '../../garment/uploaded-file.ts'
import { hourMs } from '../../time.ts'

/** Longer than a file takes to arrive. */
const graceMs = hourMs

/** Below 1,000, the most that R2 deletes at once. */
const maxFiles = 500

/** Removes files of interrupted uploads and files that no garment needs. Safe to repeat: the rows are deleted last. */
export async function removeUnreferencedFiles(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  nowMs: number,
): Promise<void> {
  const old = await db
    .select()
    .from(unreferencedFiles)
    .where(lt(unreferencedFiles.since, nowMs - graceMs))
    .orderBy(asc(unreferencedFiles.since))
    .limit(maxFiles)
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
