import { sql } from 'drizzle-orm'
import { batchRaw } from '../../db/batch-raw.ts'
import type { Database } from '../../db/client.ts'
import { importLines, imports, looseFiles } from '../../db/schema.ts'
import { subtractStored, textBytes } from '../../quota/statements.ts'
import type { ExpiringTenant } from '../../tenant/expiring-tenants.ts'

/** More than any line has. */
const maxLineNumber = Number.MAX_SAFE_INTEGER

/** Longer than storing an import takes. */
const maxStoringMs = 15 * 60_000

interface Expiring {
  /** Imports that were created before their tenant's time are removed, whatever their state. */
  readonly tenants: readonly ExpiringTenant[]
  readonly nowMs: number
}

/**
 * Removes at most `limit` lines of an import that was created before its tenant's time, or that was broken off while it
 * was stored; and the import after its last line. Returns `limit` if there may be more to remove, else 0.
 */
export async function removeExpiredImports(db: Database, { tenants, nowMs }: Expiring, limit: number): Promise<number> {
  // From tenant to tenant, so that the index finds the old ones. CROSS JOIN keeps SQLite from choosing another order.
  const [old] = await db.all<{ tenantId: string; id: string }>(sql`
    SELECT * FROM (
      SELECT old.tenant_id AS tenantId, old.id
      FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${imports} AS old INDEXED BY imports_by_tenant
      WHERE old.tenant_id = tenant.value ->> 'id' AND old.created_at < tenant.value ->> 'beforeMs' LIMIT 1
    ) UNION ALL SELECT * FROM (
      SELECT tenant_id, id FROM ${imports} WHERE stored_at IS NULL AND created_at < ${nowMs - maxStoringMs} LIMIT 1
    ) LIMIT 1`)
  if (old === undefined) return 0
  const ofImport = sql`tenant_id = ${old.tenantId} AND import_id = ${old.id}`
  const [last] = await db.all<{ line: number }>(
    sql`SELECT line FROM ${importLines} WHERE ${ofImport} ORDER BY line LIMIT 1 OFFSET ${limit - 1}`,
  )
  const areRemoved = sql`${ofImport} AND line <= ${last?.line ?? maxLineNumber}`
  await batchRaw(db, [
    // The files of other lines belong to garments, or are loose already.
    sql`
      INSERT OR IGNORE INTO ${looseFiles} (tenant_id, picture_id, since)
      SELECT tenant_id, picture_id, ${nowMs} FROM ${importLines}
      WHERE ${areRemoved} AND status = 'waiting' AND image_url LIKE 'upload:%'`,
    subtractStored(
      ['import_lines', 'text_bytes'],
      sql`
        SELECT tenant_id, count(*) AS import_lines, sum(${textBytes}) AS text_bytes
        FROM ${importLines} WHERE ${areRemoved} GROUP BY tenant_id`,
    ),
    sql`DELETE FROM ${importLines} WHERE ${areRemoved}`,
    sql`
      DELETE FROM ${imports}
      WHERE tenant_id = ${old.tenantId} AND id = ${old.id}
        AND NOT EXISTS (SELECT 1 FROM ${importLines} WHERE ${ofImport})`,
  ])
  return limit
}
