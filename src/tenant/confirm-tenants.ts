import { and, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { inValues } from '../db/in-values.ts'
import { tenantState, tenantPurges, tenants } from '../db/schema.ts'
import { minuteMs } from '../time.ts'

/** Longer than creating a tenant takes. */
const graceMs = 15 * minuteMs
const maxConfirmed = 500

/**
 * Schedules the purge of tenants without an account, whose creation was interrupted before it was stored. Marks the
 * others, so that each tenant is checked once. Returns how many it compared, and how many of them have no account.
 */
export async function confirmTenants(
  { accounts, db }: { readonly accounts: Database; readonly db: Database },
  nowMs: number,
): Promise<{ readonly compared: number; readonly unknown: number }> {
  const hosted = await db
    .select({ tenantId: tenantState.tenantId })
    .from(tenantState)
    // In the words of the index.
    .where(and(sql`is_confirmed = 0`, lte(tenantState.createdAt, nowMs - graceMs)))
    .limit(maxConfirmed)
  if (hosted.length === 0) return { compared: 0, unknown: 0 }
  const ids = hosted.map(({ tenantId }) => tenantId)
  const rows = await accounts.select({ id: tenants.id }).from(tenants).where(inValues(tenants.id, ids))
  const known = rows.map(({ id }) => id)
  const unknown = ids.filter((id) => !known.includes(id))
  if (unknown.length > 0)
    await accounts.run(sql`
      INSERT OR IGNORE INTO ${tenantPurges} (tenant_id, requested_at, next_at)
      SELECT value, ${nowMs}, ${nowMs} FROM json_each(${JSON.stringify(unknown)})`)
  await db.batch([
    db.update(tenantState).set({ isConfirmed: true }).where(inValues(tenantState.tenantId, known)),
    db.delete(tenantState).where(inValues(tenantState.tenantId, unknown)),
  ])
  return { compared: ids.length, unknown: unknown.length }
}
