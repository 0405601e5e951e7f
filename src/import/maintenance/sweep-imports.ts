import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { imports } from '../../db/schema.ts'
import { wakeImporter } from '../run/wake-importer.ts'

const maxTenants = 100

/**
 * Wakes the importers of tenants with work left, in case their alarms were lost. Starts at a random tenant, so that all
 * are reached even if there are more than one sweep wakes.
 */
export async function sweepImports(db: Database, env: Pick<Env, 'IMPORTER'>, startTenantId = newId()): Promise<void> {
  const openIn = (range: SQL) => sql`
    SELECT * FROM (
      SELECT DISTINCT tenant_id AS tenantId FROM ${imports}
      WHERE ended_at IS NULL AND stored_at IS NOT NULL AND (tagging > 0 OR (waiting > 0 AND NOT paused)) AND ${range}
      ORDER BY tenant_id LIMIT ${maxTenants}
    )`
  const [later, earlier] = [openIn(sql`tenant_id >= ${startTenantId}`), openIn(sql`tenant_id < ${startTenantId}`)]
  const tenants = await db.all<{ tenantId: string }>(sql`${later} UNION ALL ${earlier} LIMIT ${maxTenants}`)
  await Promise.all(tenants.map(async ({ tenantId }) => await wakeImporter(env, tenantId)))
}
