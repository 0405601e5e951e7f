import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import { recordEntry, type Actor } from '../audit/record-entry.ts'
import type { Database } from '../db/client.ts'
import { imports } from '../db/schema.ts'
import { importNotFound } from './errors.ts'
import { removeImportLines } from './maintenance/remove-import-lines.ts'

/** The import's name, which is bounded. */
const nameOf = (tenantId: string, id: string) =>
  sql`(SELECT name FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id})`

/** Keeps each batch below 50 ms. */
const linesInStep = 500

/**
 * Deletes an import with its lines and report. Garments that it has uploaded stay; its other lines are not uploaded.
 * Throws 404, also while its lines are being stored.
 */
export async function deleteImport(
  db: Database,
  tenantId: string,
  id: string,
  nowMs: number,
  by: Actor,
): Promise<void> {
  // Marks it like an import that was interrupted while it was stored: nothing continues it, and the sweep removes
  // whatever a fault leaves.
  const [deleted] = await db.batch([
    db
      .update(imports)
      .set({ storedAt: null, endedAt: nowMs, paused: true })
      .where(
        and(
          eq(imports.tenantId, tenantId),
          eq(imports.id, id),
          or(isNotNull(imports.storedAt), isNotNull(imports.endedAt)),
        ),
      )
      .returning({ id: imports.id }),
    ...recordEntry(
      db,
      { holderId: tenantId, action: 'import.deleted', subject: nameOf(tenantId, id) },
      { by, at: nowMs },
    ),
  ])
  if (deleted.length === 0) throw importNotFound()
  while (await removeImportLines(db, { tenantId, id }, linesInStep, nowMs));
}
