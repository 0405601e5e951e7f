import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import { importLines, imports, storedFiles, unreferencedFiles } from '../platform/db/schema.ts'
import { fileOfImage, isFileOfImage, joinImages, uploadedFilesPrefix } from '../garments/pictures/uploaded-file.ts'
import { subtractRows, textBytes } from '../accounts/quotas.ts'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { deleteBelow } from '../garments/pictures/annotated-picture.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { dayMs, minuteMs } from '../time.ts'
import { binDays } from '../garments/bin.ts'

/** More than any line has. */
const maxLineNumber = Number.MAX_SAFE_INTEGER

/**
 * Removes at most `limit` lines of an import, and the import after its last line. Returns whether there are lines left.
 */
async function removeImportLines(
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
  await runBatch(db, {
    // Files of other lines belong to garments, or are already marked as unused.
    files: sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, picture_id, since)
      SELECT tenant_id, ${fileOfImage}, ${nowMs} FROM ${importLines} ${joinImages}
      WHERE ${areRemoved} AND status = 'waiting' AND ${isFileOfImage}`,
    counted: subtractRows(importLines, areRemoved, { import_lines: sql`count(*)`, text_bytes: sql`sum(${textBytes})` }),
    lines: sql`DELETE FROM ${importLines} WHERE ${areRemoved}`,
    import: sql`
      DELETE FROM ${imports}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND NOT EXISTS (SELECT 1 FROM ${importLines} WHERE ${ofImport})`,
  })
  return last !== undefined
}

/** Whether all lines of an import are stored, or it has ended. */
const isStored = or(isNotNull(imports.storedAt), isNotNull(imports.endedAt))

interface Binning {
  readonly ids: readonly string[]
  readonly by: Actor
}

interface Change {
  readonly action: 'import.binned' | 'import.restored' | 'import.deleted'
  readonly set: Partial<typeof imports.$inferInsert>
  readonly where: SQL | undefined
}

/** Changes imports one by one, each with its entry in the audit log. Returns the ids of those that were found. */
async function changeImports(
  db: Database,
  tenantId: string,
  { ids, by }: Binning,
  { action, set, where }: Change,
  nowMs: number,
): Promise<string[]> {
  const found: string[] = []
  for (const id of ids) {
    const isImport = and(eq(imports.tenantId, tenantId), eq(imports.id, id), where)
    const { changed } = await runBatch(db, {
      changed: db.update(imports).set(set).where(isImport).returning({ id: imports.id }),
      entry: recordEntry(db, { holderId: tenantId, action, subject: nameOf(tenantId, id) }, { by, at: nowMs }),
    })
    if (changed.length > 0) found.push(id)
  }
  return found
}

/** The import's name, which is bounded. */
const nameOf = (tenantId: string, id: string) =>
  sql`(SELECT name FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id})`

/**
 * Puts imports into the bin for 30 days, but those that are not found, and those whose lines are being stored. They are
 * paused, so that they upload no more. Returns how many were found.
 */
export async function binImports(db: Database, tenantId: string, binning: Binning, nowMs: number): Promise<number> {
  const set = { removeAt: nowMs + binDays * dayMs, paused: true }
  const where = and(isStored, isNull(imports.removeAt))
  return (await changeImports(db, tenantId, binning, { action: 'import.binned', set, where }, nowMs)).length
}

/** Takes imports out of the bin, paused if they have lines left. Returns how many were found. */
export async function restoreImports(db: Database, tenantId: string, binning: Binning, nowMs: number): Promise<number> {
  const change = { action: 'import.restored', set: { removeAt: null }, where: gt(imports.removeAt, nowMs) } as const
  return (await changeImports(db, tenantId, binning, change, nowMs)).length
}

/** Keeps each batch below 50 ms. */
const linesInStep = 500

interface Deletion extends Binning {
  /** Far below the 1,000 queries that the platform allows a request; a step takes five of them. */
  readonly maxSteps?: number
}

/**
 * Deletes imports for ever with their lines and reports, but those that are not found, and those whose lines are being
 * stored. Garments that they have uploaded stay; their other lines are not uploaded. All are gone for the tenant at
 * once; of very many lines, the sweep removes the rest. Returns how many were found.
 */
export async function deleteImports(
  db: Database,
  tenantId: string,
  { ids, by, maxSteps = 100 }: Deletion,
  nowMs: number,
): Promise<number> {
  // As if they had been broken off while they were stored: nothing continues them, and the sweep removes what is left.
  const set = { storedAt: null, endedAt: nowMs, paused: true }
  const change = { action: 'import.deleted', set, where: isStored } as const
  const deleted = await changeImports(db, tenantId, { ids, by }, change, nowMs)
  let steps = 0
  for (const id of deleted)
    while (steps++ < maxSteps && (await removeImportLines(db, { tenantId, id }, linesInStep, nowMs)));
  return deleted.length
}

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

/** Longer than storing an import takes. */
const maxStoringMs = 15 * minuteMs

interface Expiring {
  /** Imports that are older than their tenant's retention period are removed in any state, as those in the bin are. */
  readonly tenants: readonly ExpiringTenant[]
  readonly nowMs: number
}

/**
 * Removes at most `limit` lines of an import that is older than its tenant's retention period, that the bin has kept
 * long enough, or that was interrupted while it was stored, and the import after its last line. Returns `limit` if
 * there may be more to remove, else 0.
 */
export async function removeExpiredImports(db: Database, { tenants, nowMs }: Expiring, limit: number): Promise<number> {
  // Tenant by tenant, so that the index finds the old ones. CROSS JOIN keeps SQLite from choosing another order.
  const [old] = await db.all<{ tenantId: string; id: string }>(sql`
    SELECT * FROM (
      SELECT old.tenant_id AS tenantId, old.id
      FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${imports} AS old INDEXED BY imports_by_tenant
      WHERE old.tenant_id = tenant.value ->> 'id' AND old.created_at < tenant.value ->> 'beforeMs' LIMIT 1
    ) UNION ALL SELECT * FROM (
      SELECT tenant_id, id FROM ${imports} WHERE remove_at <= ${nowMs} LIMIT 1
    ) UNION ALL SELECT * FROM (
      SELECT tenant_id, id FROM ${imports} WHERE stored_at IS NULL AND created_at < ${nowMs - maxStoringMs} LIMIT 1
    ) LIMIT 1`)
  if (old === undefined) return 0
  await removeImportLines(db, old, limit, nowMs)
  return limit
}
