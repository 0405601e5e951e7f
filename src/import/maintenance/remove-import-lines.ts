import { sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { importLines, imports, unreferencedFiles } from '../../db/schema.ts'
import { hasUploadedFile } from '../../garment/uploaded-file.ts'
import { subtractRows, textBytes } from '../../quota/statements.ts'

/** More than any line has. */
const maxLineNumber = Number.MAX_SAFE_INTEGER

/**
 * Removes at most `limit` lines of an import, and the import after its last line. Returns whether there are lines left.
 */
export async function removeImportLines(
  db: Database,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  limit: number,
  nowMs: number,
): Promise<boolean> {
  const ofImport = sql`tenant_id = ${tenantId} AND import_id = ${id}`
  const [last] = await db.all<{ line: number }>(
    sql`SELECT line FROM ${importLines} WHERE ${ofImport} ORDER BY line LIMIT 1 OFFSET ${limit - 1}`,
  )
  const areRemoved = sql`${ofImport} AND line <= ${last?.line ?? maxLineNumber}`
  await batchRaw(db, [
    // Files of other lines belong to garments, or are already marked as unused.
    sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, picture_id, since)
      SELECT tenant_id, picture_id, ${nowMs} FROM ${importLines}
      WHERE ${areRemoved} AND status = 'waiting' AND ${hasUploadedFile}`,
    subtractRows(importLines, areRemoved, { import_lines: sql`count(*)`, text_bytes: sql`sum(${textBytes})` }),
    sql`DELETE FROM ${importLines} WHERE ${areRemoved}`,
    sql`
      DELETE FROM ${imports}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND NOT EXISTS (SELECT 1 FROM ${importLines} WHERE ${ofImport})`,
  ])
  return last !== undefined
}
