import { and, asc, count, eq, gt, isNotNull, isNull, lt, lte, notExists, or, type SQL, sql, sum } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import { importLines, imports, storedFiles } from '../platform/db/schema.ts'
import { uploadedFilesPrefix } from '../garments/pictures/uploaded-file.ts'
import { bytesOfRows, subtractRows } from '../platform/db/count-rows.ts'
import { type Actor, recordEntry } from '../accounts/audit.ts'
import { deleteBelow } from '../garments/pictures/stored-copy.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { dayMs, minuteMs } from '../time.ts'
import { markUnused } from './move-lines.ts'
import { binDays } from '../garments/bin.ts'

/** Deletes at most `limit` lines, and the import with its last line. Returns true if lines remain. */
async function removeImportLines(
  db: Database,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  limit: number,
  nowMs: number,
): Promise<boolean> {
  const ofImport = and(eq(importLines.tenantId, tenantId), eq(importLines.importId, id))
  const [last] = await db
    .select({ line: importLines.line })
    .from(importLines)
    .where(ofImport)
    .orderBy(asc(importLines.line))
    .limit(1)
    .offset(limit - 1)
  const areRemoved = and(ofImport, lte(importLines.line, last?.line ?? Number.MAX_SAFE_INTEGER))
  const isEmpty = and(
    eq(imports.tenantId, tenantId),
    eq(imports.id, id),
    notExists(db.select().from(importLines).where(ofImport)),
  )
  await runBatch(db, {
    // Files of lines in any other status belong to garments, or are already marked as unused.
    files: markUnused(tenantId, sql`${importLines} WHERE ${areRemoved} AND status = 'waiting'`, nowMs),
    counted: subtractRows(importLines, areRemoved, { import_lines: count(), row_bytes: sum(importLines.rowBytes) }),
    lines: db.delete(importLines).where(areRemoved),
    countedImport: subtractRows(imports, isEmpty, { row_bytes: bytesOfRows('imports') }),
    import: db.delete(imports).where(isEmpty),
  })
  return last !== undefined
}

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

export async function restoreImports(db: Database, tenantId: string, binning: Binning, nowMs: number): Promise<number> {
  const change = { action: 'import.restored', set: { removeAt: null }, where: gt(imports.removeAt, nowMs) } as const
  return (await changeImports(db, tenantId, binning, change, nowMs)).length
}

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
  const one = (where: SQL | undefined) =>
    db.select({ tenantId: imports.tenantId, id: imports.id }).from(imports).where(where).limit(1)
  const found = await runBatch(db, {
    // CROSS JOIN makes SQLite visit tenant by tenant, so that the index on creation time finds the old imports.
    expired: sql<{ tenantId: string; id: string }>`
      SELECT old.tenant_id AS tenantId, old.id
      FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${imports} AS old INDEXED BY imports_by_tenant
      WHERE old.tenant_id = tenant.value ->> 'id' AND old.created_at < tenant.value ->> 'beforeMs' LIMIT 1`,
    binned: one(lte(imports.removeAt, nowMs)),
    interrupted: one(and(isNull(imports.storedAt), lt(imports.createdAt, nowMs - maxStoringMs))),
  })
  const [old] = [...found.expired, ...found.binned, ...found.interrupted]
  if (old === undefined) return 0
  await removeImportLines(db, old, limit, nowMs)
  return limit
}
