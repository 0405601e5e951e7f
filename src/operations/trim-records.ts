import { sql } from 'drizzle-orm'
import { removeExpiredEntries } from '../accounts/audit.ts'
import { findLimits, quotasOf } from '../accounts/quotas.ts'
import type { Database } from '../platform/db/database.ts'
import { tenantCounters } from '../platform/db/schema.ts'
import type { Settings } from '../settings.ts'
import { eraseAnswers, removeOldDeliveries } from '../webhooks/maintain-webhooks.ts'

const maxTenants = 20
const stepSize = 500

/**
 * Removes the oldest records of tenants above their byte quota: first receivers' answers, then ended deliveries, then
 * audit entries. Garments stay. Makes one step per tenant. Returns how many rows were removed or shortened.
 */
export async function trimRecords(db: Database, settings: Settings, nowMs: number): Promise<number> {
  // Random, so that tenants without such records cannot starve others.
  const full = await db.all<{ id: string; used: number }>(sql`
    SELECT tenant_id AS id, row_bytes AS used FROM ${tenantCounters} INDEXED BY tenant_counters_over_quota
    WHERE is_over_quota ORDER BY random() LIMIT ${maxTenants}`)
  let count = 0
  for (const { id, used } of full) {
    const limits = await findLimits(db, id, quotasOf(settings, nowMs))
    const oldest = [{ id, beforeMs: nowMs }]
    const steps = [
      async () => await eraseAnswers(db, oldest, stepSize),
      async () => await removeOldDeliveries(db, oldest, stepSize),
      async () => await removeExpiredEntries(db, oldest, stepSize),
    ]
    let removed = 0
    if (used > limits.row_bytes) for (const step of steps) if (removed === 0) removed = await step()
    await restoreLimit(db, id, limits.row_bytes)
    count += removed
  }
  return count
}

/** Restores a raised limit, but not below what the tenant has stored. */
const restoreLimit = async (db: Database, tenantId: string, limit: number) =>
  await db.run(sql`
    UPDATE ${tenantCounters} SET max_row_bytes = max(row_bytes, ${limit}), is_over_quota = row_bytes > ${limit}
    WHERE tenant_id = ${tenantId}`)
