import { and, eq, isNotNull, or } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { imports } from '../db/schema.ts'
import { importNotFound } from './errors.ts'
import { removeImportLines } from './maintenance/remove-import-lines.ts'

/** Keeps each batch below 50 ms. */
const linesInStep = 500

/**
 * Deletes an import with its lines and its report. What it has uploaded stays; its other lines are not uploaded. Throws
 * 404, also while its lines are being stored.
 */
export async function deleteImport(db: Database, tenantId: string, id: string, nowMs: number): Promise<void> {
  // As if it had been broken off while it was stored: nothing continues it, and the sweep removes what a fault leaves.
  const deleted = await db
    .update(imports)
    .set({ storedAt: null, endedAt: nowMs, paused: true })
    .where(
      and(
        eq(imports.tenantId, tenantId),
        eq(imports.id, id),
        or(isNotNull(imports.storedAt), isNotNull(imports.endedAt)),
      ),
    )
    .returning({ id: imports.id })
  if (deleted.length === 0) throw importNotFound()
  while (await removeImportLines(db, { tenantId, id }, linesInStep, nowMs));
}
