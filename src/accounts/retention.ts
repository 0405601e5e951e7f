import { asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { type Authorship, recordEntry } from './audit.ts'
import { type Database, inValues, runBatch } from '../platform/db/database.ts'
import { tenantState } from '../platform/db/schema.ts'
import { maxRetentionDays } from '../settings.ts'
import { dayMs } from '../time.ts'

/** An operator's period of 0 days keeps results forever. */
const longestRetention = (retentionDays: number) => (retentionDays === 0 ? maxRetentionDays : retentionDays)

/** Returns after how many days a tenant's results expire: its own period, but at most the operator's. */
export const retentionOf = (tenantDays: number | null, operatorDays: number): number =>
  Math.min(tenantDays ?? Infinity, longestRetention(operatorDays))

/** The form field with the tenant's own period. An empty field becomes null, which stands for the operator's period. */
export const retentionSchema = (retentionDays: number) => {
  const longest = longestRetention(retentionDays)
  const isPossible = (days: number | null) => days === null || (Number.isInteger(days) && days >= 1 && days <= longest)
  return z.object({
    retention_days: z
      .string()
      // Accepts only digits, because `1.000` means a thousand in some countries and one in others.
      .transform((text) => (text === '' ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN))
      .refine(isPossible, `must be a whole number of days from 1 to ${longest}, or empty`),
  })
}

export const retentionQuery = (db: Database, tenantId: string) =>
  db.select({ days: tenantState.retentionDays }).from(tenantState).where(eq(tenantState.tenantId, tenantId))

export async function putRetention(
  db: Database,
  tenantId: string,
  days: number | null,
  authorship: Authorship,
): Promise<void> {
  const subject = days === null ? "the operator's period" : `${days} days`
  await runBatch(db, {
    tenant: db
      .update(tenantState)
      .set({ retentionDays: days, expiryCheckAt: 0 })
      .where(eq(tenantState.tenantId, tenantId)),
    entry: recordEntry(db, { holderId: tenantId, action: 'retention.changed', subject }, authorship),
  })
}

export interface ExpiringTenant {
  readonly id: string
  readonly beforeMs: number
}

/** Finds at most `limit` tenants whose expired rows are due for removal, longest due first. */
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

/** Makes these tenants due again in a day. Call it once their expired rows are removed. */
export async function putOffExpiry(db: Database, expiring: readonly ExpiringTenant[], nowMs: number): Promise<void> {
  const ids = expiring.map(({ id }) => id)
  await db
    .update(tenantState)
    .set({ expiryCheckAt: nowMs + dayMs })
    .where(inValues(tenantState.tenantId, ids))
}
