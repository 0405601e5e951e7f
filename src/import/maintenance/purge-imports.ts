import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { importLines, imports, storedFiles } from '../../db/schema.ts'
import { deleteBelow } from '../../garment/picture/delete-pictures.ts'
import { uploadedFilesPrefix } from '../../garment/uploaded-file.ts'

/**
 * One step of removing everything of a deleted tenant: at most `limit` lines and `limit` files. Returns how many were
 * removed. Rows of loose files stay until the sweep has made sure that their files are gone.
 */
export async function purgeImports(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  tenantId: string,
  limit: number,
): Promise<number> {
  const deleted = await deleteBelow(pictures, uploadedFilesPrefix(tenantId), limit)
  const some = sql`SELECT import_id, line FROM ${importLines} WHERE tenant_id = ${tenantId} LIMIT ${limit}`
  const removed = await db.run(
    sql`DELETE FROM ${importLines} WHERE tenant_id = ${tenantId} AND (import_id, line) IN (${some})`,
  )
  await db.delete(storedFiles).where(eq(storedFiles.tenantId, tenantId))
  await db.delete(imports).where(eq(imports.tenantId, tenantId))
  return deleted + removed.meta.changes
}
