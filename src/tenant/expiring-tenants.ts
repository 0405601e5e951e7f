import { asc, lte } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { inValues } from '../db/in-values.ts'
import { hostedTenants } from '../db/schema.ts'
import { dayMs, retentionOf } from './retention.ts'

/** A tenant that may have something that has expired. */
export interface ExpiringTenant {
  readonly id: string
  /** What is older has expired. */
  readonly beforeMs: number
}

/** Finds the tenants of a database that are to be looked at, at most `limit`, those first that have waited longest. */
export async function findExpiringTenants(
  db: Database,
  retentionDays: number,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<ExpiringTenant[]> {
  const rows = await db
    .select({ id: hostedTenants.tenantId, retentionDays: hostedTenants.retentionDays })
    .from(hostedTenants)
    .where(lte(hostedTenants.expiryCheckAt, nowMs))
    .orderBy(asc(hostedTenants.expiryCheckAt))
    .limit(limit)
  return rows.map((row) => ({ id: row.id, beforeMs: nowMs - retentionOf(row.retentionDays, retentionDays) * dayMs }))
}

/**
 * Puts off the next look at tenants of which all that had expired was removed, by a day, which is the unit of
 * retention.
 */
export async function putOffExpiry(db: Database, expiring: readonly ExpiringTenant[], nowMs: number): Promise<void> {
  const ids = expiring.map(({ id }) => id)
  await db
    .update(hostedTenants)
    .set({ expiryCheckAt: nowMs + dayMs })
    .where(inValues(hostedTenants.tenantId, ids))
}
