import { and, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { hostedTenants, tenants } from '../db/schema.ts'

/** Longer than creating a tenant takes. */
const graceMs = 15 * 60_000
const maxConfirmed = 500

/**
 * Removes the rows of tenants whose creation broke off before their account was stored, and marks the others. Looks at
 * each tenant once.
 */
export async function confirmTenants(
  { accounts, db }: { readonly accounts: Database; readonly db: Database },
  nowMs: number,
): Promise<void> {
  const hosted = await db
    .select({ tenantId: hostedTenants.tenantId })
    .from(hostedTenants)
    // In the words of the index.
    .where(and(sql`is_confirmed = 0`, lte(hostedTenants.createdAt, nowMs - graceMs)))
    .limit(maxConfirmed)
  if (hosted.length === 0) return
  // One parameter for all of them, because a statement has at most 100.
  const inList = (ids: readonly string[]) => sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`
  const ids = inList(hosted.map(({ tenantId }) => tenantId))
  const known = await accounts.select({ id: tenants.id }).from(tenants).where(inArray(tenants.id, ids))
  const areKnown = inArray(hostedTenants.tenantId, inList(known.map(({ id }) => id)))
  await db.batch([
    db.update(hostedTenants).set({ isConfirmed: true }).where(areKnown),
    db.delete(hostedTenants).where(and(inArray(hostedTenants.tenantId, ids), eq(hostedTenants.isConfirmed, false))),
  ])
}
