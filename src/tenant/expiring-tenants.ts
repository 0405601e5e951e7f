import { asc, lte } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { inValues } from '../db/in-values.ts'
import { tenantState } from '../db/schema.ts'
import { dayMs } from '../time.ts'
import { retentionOf } from './retention.ts'

/** A tenant that may have something that has expired. */
export interface ExpiringTenant {
  readonly id: string
  /** What is older has expired. */
  readonly beforeMs: number
}

/** Finds at most `limit` tenants of a database that are due for a check, longest waiting first. */
export async function findExpiringTenants(
  db: Database,
  retentionDays: number,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<ExpiringTenant[]> {
  const rows = await db
    .select({ id: tenantState.tenantId, retentionDays: tenantState.retentionDays })
    .from(tenantState)
    .where(lte(tenantState.expiryCheckAt, nowMs))
    .orderBy(asc(tenantState.expiryCheckAt))
    .limit(limit)
  return rows.map((row) => ({ id: row.id, beforeMs: nowMs - retentionOf(row.retentionDays, retentionDays) * dayMs }))
}

/** Postpones the next check of tenants without expired data by a day, the unit of retention. */
export async function putOffExpiry(db: Database, expiring: readonly ExpiringTenant[], nowMs: number): Promise<void> {
  const ids = expiring.map(({ id }) => id)
  await db
    .update(tenantState)
    .set({ expiryCheckAt: nowMs + dayMs })
    .where(inValues(tenantState.tenantId, ids))
}
