import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { imports } from '../../db/schema.ts'
import type { ExpiringTenant } from '../../tenant/expiring-tenants.ts'
import { minuteMs } from '../../time.ts'
import { removeImportLines } from './remove-import-lines.ts'

/** Longer than storing an import takes. */
const maxStoringMs = 15 * minuteMs

interface Expiring {
  /** Imports that are older than their tenant's retention period are removed in any state. */
  readonly tenants: readonly ExpiringTenant[]
  readonly nowMs: number
}

/**
 * Removes at most `limit` lines of an import that is older than its tenant's retention period, or that was interrupted
 * while it was stored, and the import after its last line. Returns `limit` if there may be more to remove, else 0.
 */
export async function removeExpiredImports(db: Database, { tenants, nowMs }: Expiring, limit: number): Promise<number> {
  // Tenant by tenant, so that the index finds the old ones. CROSS JOIN keeps SQLite from choosing another order.
  const [old] = await db.all<{ tenantId: string; id: string }>(sql`
    SELECT * FROM (
      SELECT old.tenant_id AS tenantId, old.id
      FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${imports} AS old INDEXED BY imports_by_tenant
      WHERE old.tenant_id = tenant.value ->> 'id' AND old.created_at < tenant.value ->> 'beforeMs' LIMIT 1
    ) UNION ALL SELECT * FROM (
      SELECT tenant_id, id FROM ${imports} WHERE stored_at IS NULL AND created_at < ${nowMs - maxStoringMs} LIMIT 1
    ) LIMIT 1`)
  if (old === undefined) return 0
  await removeImportLines(db, old, limit, nowMs)
  return limit
}
