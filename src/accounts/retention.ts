import { asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { type Made, recordEntry } from './audit.ts'
import { type Database, inValues, runBatch } from '../platform/db/database.ts'
import { tenantState } from '../platform/db/schema.ts'
import { maxRetentionDays } from '../settings.ts'
import { dayMs } from '../time.ts'

/** The longest period that a tenant may choose, in days. `retentionDays` is the operator's, 0 for ever. */
const longestRetention = (retentionDays: number) => (retentionDays === 0 ? maxRetentionDays : retentionDays)

/**
 * After how many days the results of a tenant expire. The operator's period limits every tenant's, even if it was
 * shortened after the tenant had chosen its own.
 */
export function retentionOf(ofTenant: number | null, ofOperator: number): number {
  return Math.min(ofTenant ?? Infinity, longestRetention(ofOperator))
}

/** The field of a form with the tenant's own period; empty for the operator's, which gives null. */
export const retentionSchema = (retentionDays: number) => {
  const longest = longestRetention(retentionDays)
  const isPossible = (days: number | null) => days === null || (Number.isInteger(days) && days >= 1 && days <= longest)
  return z.object({
    retention_days: z
      .string()
      // `1.000` is a thousand days in some countries, and one day in others.
      .transform((text) => (text === '' ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN))
      .refine(isPossible, `must be a whole number of days from 1 to ${longest}, or empty`),
  })
}

/** The period that the tenant has chosen; null for the operator's. */
export const retentionQuery = (db: Database, tenantId: string) =>
  db.select({ days: tenantState.retentionDays }).from(tenantState).where(eq(tenantState.tenantId, tenantId))

/** Sets after how many days the tenant's results are removed; null for the operator's period. */
export async function putRetention(db: Database, tenantId: string, days: number | null, made: Made): Promise<void> {
  const subject = days === null ? "the operator's period" : `${days} days`
  await runBatch(db, {
    tenant: db
      .update(tenantState)
      .set({ retentionDays: days, expiryCheckAt: 0 })
      .where(eq(tenantState.tenantId, tenantId)),
    entry: recordEntry(db, { holderId: tenantId, action: 'retention.changed', subject }, made),
  })
}

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
