import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type Database, inRows, runBatch } from '../../platform/db/database.ts'
import { unreferencedFiles } from '../../platform/db/schema.ts'
import { log } from '../../log.ts'
import { forgetFiles } from '../../accounts/quotas.ts'
import { hourMs } from '../../time.ts'
import type { Rotation } from '../../vision/image/orientation.ts'

export const uploadedFilesPrefix = (tenantId: string) => `uploaded/${tenantId}/`

export const fileKey = (tenantId: string, id: string) => `${uploadedFilesPrefix(tenantId)}${id}`

/** Returns the public path of an uploaded file. Anyone who knows the path can see the file. */
export const originalPath = (tenantId: string, fileId: string) => `/garment-tagging/original/${tenantId}/${fileId}`

interface UprightView {
  readonly rotated: Rotation | null
  readonly size?: 'thumbnail'
}

/** Returns the public path of an uploaded file as a JPEG that is rotated like its picture. */
export const uprightPath = (tenantId: string, fileId: string, { rotated, size }: UprightView) =>
  `/garment-tagging/upright/${tenantId}/${fileId}.jpg?rotated=${rotated ?? 0}${size ? `&size=${size}` : ''}`

/** Value of `since` for a file that the sweep is removing. Such a file can no longer be used. */
const beingRemoved = 0

/** True if the sweep has removed none of these files. Their users must delete the rows. `ids` is a JSON list. */
export const areFilesUsable = (tenantId: SQLWrapper | string, ids: SQLWrapper | string) => sql`NOT EXISTS (
  SELECT 1 FROM json_each(${ids}) WHERE value NOT IN (
    SELECT file_id FROM ${unreferencedFiles}
    WHERE tenant_id = ${tenantId} AND file_id = value AND since > ${beingRemoved}))`

/** Marks files that no garment uses. The sweep removes them. */
export function markUnreferenced(tenantId: string, ids: readonly string[], condition: SQL, nowMs: number): SQL[] {
  if (ids.length === 0) return []
  return [
    sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, file_id, since)
      SELECT ${tenantId}, value, ${nowMs} FROM json_each(${JSON.stringify(ids)}) WHERE ${condition}`,
  ]
}

/** Unmarks files, unless the sweep is removing them. `ids` is a JSON list. */
export const unmarkUnreferenced = (tenantId: SQLWrapper | string, ids: SQLWrapper | string, condition = sql`1`) => sql`
  DELETE FROM ${unreferencedFiles}
  WHERE tenant_id = ${tenantId} AND since > ${beingRemoved} AND ${condition}
    AND file_id IN (SELECT value FROM json_each(${ids}))`

interface Storage {
  readonly db: Database
  readonly pictures: R2Bucket
}

/** Removes an unused file and updates the counts. If this fails, the sweep does it later. */
export async function removeFile({ db, pictures }: Storage, tenantId: string, id: string): Promise<void> {
  try {
    await pictures.delete(fileKey(tenantId, id))
    await runBatch(db, {
      stored: forgetFiles(db, [{ tenantId, fileId: id }]),
      unreferenced: db
        .delete(unreferencedFiles)
        .where(and(eq(unreferencedFiles.tenantId, tenantId), eq(unreferencedFiles.fileId, id))),
    })
  } catch (error) {
    log('warn', 'file not removed', { tenant: tenantId, error })
  }
}

/** Longer than any upload takes. */
const graceMs = hourMs

/** R2's limit for one deletion is 1,000. */
const maxFiles = 500

/** Marks the rows first, so that nobody uses the files any more. Deletes the rows last, so that no file is left. */
export async function removeUnreferencedFiles({ db, pictures }: Storage, nowMs: number): Promise<void> {
  const old = await db.all<{ tenantId: string; fileId: string }>(sql`
    UPDATE ${unreferencedFiles} SET since = ${beingRemoved}
    WHERE (tenant_id, file_id) IN (
      SELECT tenant_id, file_id FROM ${unreferencedFiles} WHERE since < ${nowMs - graceMs}
      ORDER BY since LIMIT ${maxFiles})
    RETURNING tenant_id AS tenantId, file_id AS fileId`)
  if (old.length === 0) return
  await pictures.delete(old.map(({ tenantId, fileId }) => fileKey(tenantId, fileId)))
  const keys = old.map(({ tenantId, fileId }) => [tenantId, fileId])
  await runBatch(db, {
    stored: forgetFiles(db, old),
    unreferenced: db.delete(unreferencedFiles).where(inRows(['tenant_id', 'file_id'], keys)),
  })
}
