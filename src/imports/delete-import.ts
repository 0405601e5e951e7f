import { and, asc, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import { importLines, imports, storedFiles, unreferencedFiles } from '../platform/db/schema.ts'
import { uploadedFilesPrefix } from '../garments/pictures/uploaded-file.ts'
import { subtractRows } from '../accounts/quotas.ts'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { deleteBelow } from '../garments/pictures/stored-copy.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { dayMs, minuteMs } from '../time.ts'
import { binDays } from '../garments/bin.ts'

/** Above the highest possible line number. */
const maxLineNumber = Number.MAX_SAFE_INTEGER

/**
 * Deletes at most `limit` lines of an import, and the import itself together with its last line. Returns true if lines
 * remain.
 */
async function removeImportLines(
  db: Database,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  limit: number,
  nowMs: number,
): Promise<boolean> {
  const ofImport = sql`tenant_id = ${tenantId} AND import_id = ${id}`
  const [last] = await db
    .select({ line: importLines.line })
    .from(importLines)
    .where(ofImport)
    .orderBy(asc(importLines.line))
    .limit(1)
    .offset(limit - 1)
  const areRemoved = sql`${ofImport} AND line <= ${last?.line ?? maxLineNumber}`
  await runBatch(db, {
    // Files of lines in any other status belong to garments, or are already marked as unused.
    files: sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, file_id, since)
      SELECT tenant_id, picture.value ->> '$.file.id', ${nowMs}
      FROM ${importLines} CROSS JOIN json_each(pictures) AS picture
      WHERE ${areRemoved} AND status = 'waiting' AND picture.value ->> '$.file.id' IS NOT NULL`,
    counted: subtractRows(importLines, areRemoved, { import_lines: sql`count(*)`, text_bytes: sql`sum(text_bytes)` }),
    lines: db.delete(importLines).where(areRemoved),
    import: sql`
      DELETE FROM ${imports}
      WHERE tenant_id = ${tenantId} AND id = ${id} AND NOT EXISTS (SELECT 1 FROM ${importLines} WHERE ${ofImport})`,
  })
  return last !== undefined
}

/** True if all lines of an import are stored, or if the import has ended. */
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

/** Changes each import in a batch with its audit log entry. Returns the ids of the imports that were found. */
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

const nameOf = (tenantId: string, id: string) =>
  sql`(SELECT name FROM ${imports} WHERE tenant_id = ${tenantId} AND id = ${id})`

/**
 * Pauses imports and moves them to the bin for 30 days. Skips unknown imports and imports whose lines are still being
 * stored. Returns the number of binned imports.
 */
export async function binImports(db: Database, tenantId: string, binning: Binning, nowMs: number): Promise<number> {
  const set = { removeAt: nowMs + binDays * dayMs, paused: true }
  const where = and(isStored, isNull(imports.removeAt))
  return (await changeImports(db, tenantId, binning, { action: 'import.binned', set, where }, nowMs)).length
}

/** Restores imports from the bin. They stay paused. Returns the number of restored imports. */
export async function restoreImports(db: Database, tenantId: string, binning: Binning, nowMs: number): Promise<number> {
  const change = { action: 'import.restored', set: { removeAt: null }, where: gt(imports.removeAt, nowMs) } as const
  return (await changeImports(db, tenantId, binning, change, nowMs)).length
}

/** Keeps each batch below 50 ms of database time. */
const linesInStep = 500

interface Deletion extends Binning {
  /** A step takes five queries. The platform allows 1,000 queries per request. */
  readonly maxSteps?: number
}

/**
 * Deletes imports with their lines and reports. Skips unknown imports and imports whose lines are still being stored.
 * Uploaded garments stay, and waiting lines are never uploaded. The tenant no longer sees the imports when this
 * returns. The sweep deletes the lines that remain after `maxSteps`. Returns the number of deleted imports.
 */
export async function deleteImports(
  db: Database,
  tenantId: string,
  { ids, by, maxSteps = 100 }: Deletion,
  nowMs: number,
): Promise<number> {
  // The same state as an import interrupted while being stored: no step continues it, and the sweep deletes its lines.
  const set = { storedAt: null, endedAt: nowMs, paused: true }
  const change = { action: 'import.deleted', set, where: isStored } as const
  const deleted = await changeImports(db, tenantId, { ids, by }, change, nowMs)
  let steps = 0
  for (const id of deleted)
    while (steps++ < maxSteps && (await removeImportLines(db, { tenantId, id }, linesInStep, nowMs)));
  return deleted.length
}

/**
 * Purges at most `limit` import lines and `limit` files of a deleted tenant. Returns how many it removed. Rows of
 * unreferenced files stay until the sweep has confirmed that the files are deleted.
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

/** An import that takes longer than this to store was interrupted. */
const maxStoringMs = 15 * minuteMs

interface Expiring {
  readonly tenants: readonly ExpiringTenant[]
  readonly nowMs: number
}

/**
 * Deletes at most `limit` lines of one expired import, as `removeImportLines` does. An import expires after its
 * tenant's retention period, after its time in the bin, or if storing it was interrupted. Returns `limit` if more may
 * remain, otherwise 0.
 */
export async function removeExpiredImports(db: Database, { tenants, nowMs }: Expiring, limit: number): Promise<number> {
  // CROSS JOIN makes SQLite visit tenant by tenant, so that the index on creation time finds the old imports.
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
