import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { log } from '../log.ts'
import { locationOf } from '../settings.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { importLines, imports } from '../platform/db/schema.ts'
import { moveStatements } from './move-lines.ts'

/** Wakes a tenant's importer now. A failure is only logged, because the sweep repeats this. */
export async function wakeImporter(env: Pick<Env, 'IMPORTER'>, tenantId: string): Promise<void> {
  try {
    await env.IMPORTER.getByName(tenantId, locationOf(env)).wake(tenantId)
  } catch (error) {
    log('warn', 'importer not woken', { tenant: tenantId, error })
  }
}

const maxTenants = 100

/**
 * Wakes the importers of tenants with unfinished imports, in case their alarms were lost. The order is random, so that
 * every tenant is reached over time even if one sweep cannot wake all.
 */
export async function sweepImports(db: Database, env: Pick<Env, 'IMPORTER'>): Promise<void> {
  const hasWork = or(gt(imports.tagging, 0), and(gt(imports.waiting, 0), eq(imports.paused, false)))
  const tenants = await db
    .selectDistinct({ tenantId: imports.tenantId })
    .from(imports)
    .where(and(isNull(imports.endedAt), isNotNull(imports.storedAt), hasWork))
    .orderBy(sql`random()`)
    .limit(maxTenants)
  await Promise.all(tenants.map(async ({ tenantId }) => await wakeImporter(env, tenantId)))
}

interface ImportDeps {
  readonly env: Pick<Env, 'IMPORTER'>
  readonly db: Database
}

export interface Pause {
  readonly id: string
  readonly paused: boolean
}

/**
 * Applies the lines of an import with status `asking`, whose garments were changed after the file was written. Lines
 * that still wait will overwrite such changes as well.
 */
export async function overwriteByImport(
  { env, db }: ImportDeps,
  tenantId: string,
  id: string,
  nowMs: number,
): Promise<void> {
  const moved = sql`
    SELECT line, pictures, 'waiting' AS status, '' AS problem FROM ${importLines}
    WHERE tenant_id = ${tenantId} AND import_id = ${id} AND status = 'asking'`
  await runBatch(db, {
    import: db
      .update(imports)
      .set({ overwrites: true })
      .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id), gt(imports.asking, 0))),
    lines: moveStatements(db, { tenantId, id, from: 'asking' }, moved, nowMs),
  })
  await wakeImporter(env, tenantId)
}

export async function pauseImport({ env, db }: ImportDeps, tenantId: string, { id, paused }: Pause): Promise<void> {
  const changed = await db
    .update(imports)
    .set({ paused })
    .where(and(eq(imports.tenantId, tenantId), eq(imports.id, id), isNull(imports.removeAt)))
    .returning({ id: imports.id })
  if (changed.length === 0) throw new ApiError('import_not_found')
  if (!paused) await wakeImporter(env, tenantId)
}
