import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { recordEntry, type Made } from '../audit/record-entry.ts'
import type { Database } from '../db/client.ts'
import { tenantState } from '../db/schema.ts'
import { maxRetentionDays } from '../settings.ts'

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
  await db.batch([
    db.update(tenantState).set({ retentionDays: days, expiryCheckAt: 0 }).where(eq(tenantState.tenantId, tenantId)),
    ...recordEntry(db, { holderId: tenantId, action: 'retention.changed', subject }, made),
  ])
}
