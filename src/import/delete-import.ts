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

interface Deletion {
  readonly ids: readonly string[]
  readonly by: Actor
  /** Far below the 1,000 queries that the platform allows a request; a step takes five of them. */
  readonly maxSteps?: number
}

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
  if (!(await markDeleted(db, tenantId, id, nowMs, by))) throw importNotFound()
  while (await removeImportLines(db, { tenantId, id }, linesInStep, nowMs));
}

/**
 * Deletes several imports as one is deleted, but those that are not found. All are gone for the tenant at once; of very
 * many lines, the sweep removes the rest. Returns how many were found.
 */
export async function deleteImports(
  db: Database,
  tenantId: string,
  { ids, by, maxSteps = 100 }: Deletion,
  nowMs: number,
): Promise<number> {
  const deleted: string[] = []
  for (const id of ids) if (await markDeleted(db, tenantId, id, nowMs, by)) deleted.push(id)
  let steps = 0
  for (const id of deleted)
    while (steps++ < maxSteps && (await removeImportLines(db, { tenantId, id }, linesInStep, nowMs)));
  return deleted.length
}

/**
 * Marks an import as deleted: as if it had been broken off while it was stored, so that nothing continues it, and the
 * sweep removes what a fault leaves. Returns whether it was found.
 */
async function markDeleted(db: Database, tenantId: string, id: string, nowMs: number, by: Actor): Promise<boolean> {
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
  return deleted.length > 0
}
