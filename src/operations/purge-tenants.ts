import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import { isIn } from '../platform/db/databases.ts'
import {
  apiKeys,
  dailyCounts,
  exportDefaults,
  lastExports,
  reservedNumbers,
  reviewCounts,
  studios,
  tenantPurges,
  tenantState,
} from '../platform/db/schema.ts'
import { recordDeletion } from '../platform/deletions.ts'
import { purgeEntries } from '../accounts/audit.ts'
import { purgeGarments } from '../garments/remove-expired-garments.ts'
import { purgeImports } from '../imports/delete-import.ts'
import { minuteMs } from '../time.ts'
import { purgeWebhook } from '../webhooks/maintain-webhooks.ts'

/** Rows of each table that one step removes, so that no statement blocks the database for long. */
const stepSize = 1000

/** A step makes 12 queries, and the last step of a tenant 22. A sweep may make 1,000. */
const maxSteps = 10

/** How long an upload or run that began before the deletion may still write. */
const stragglersMs = 15 * minuteMs

/** Tenant columns of tables with few rows per tenant, which one statement deletes. */
const smallTables = [
  studios.tenantId,
  dailyCounts.tenantId,
  reviewCounts.tenantId,
  exportDefaults.tenantId,
  lastExports.tenantId,
  reservedNumbers.tenantId,
  tenantState.tenantId,
]

interface PurgeDeps {
  readonly accounts: Database
  readonly number: number
  readonly db: Database
  readonly pictures: R2Bucket
}

/**
 * Removes the rows and files of deleted tenants in steps. Tenants take turns, so that large tenants cannot delay
 * others.
 */
export async function purgeTenants(deps: PurgeDeps, nowMs: number): Promise<void> {
  const { accounts, number } = deps
  let steps = 0
  while (steps < maxSteps) {
    const due = await accounts
      .select()
      .from(tenantPurges)
      .where(and(lte(tenantPurges.nextAt, nowMs), isIn(number, tenantPurges.tenantId)))
      .orderBy(asc(tenantPurges.nextAt))
      .limit(maxSteps - steps)
    if (due.length === 0) return
    for (const purge of due) await purgeStep(deps, purge, nowMs)
    steps += due.length
  }
}

async function purgeStep(
  { accounts, db, pictures }: PurgeDeps,
  { tenantId, requestedAt }: typeof tenantPurges.$inferSelect,
  nowMs: number,
): Promise<void> {
  const removed =
    (await purgeGarments({ db, pictures }, tenantId, stepSize)) +
    (await purgeImports({ db, pictures }, tenantId, stepSize)) +
    (await purgeWebhook(db, tenantId, stepSize)) +
    (await purgeEntries(db, tenantId, stepSize))
  if (removed === 0) {
    await recordDeletion(pictures, { kind: 'tenant', id: tenantId }, nowMs)
    await accounts.delete(apiKeys).where(eq(apiKeys.tenantId, tenantId))
    await runBatch(db, {
      removed: smallTables.map((column) => sql`DELETE FROM ${column.table} WHERE ${column} = ${tenantId}`),
    })
  }
  const stragglersUntil = requestedAt + stragglersMs
  const isTenants = eq(tenantPurges.tenantId, tenantId)
  if (removed > 0) await accounts.update(tenantPurges).set({ nextAt: nowMs }).where(isTenants)
  else if (stragglersUntil < nowMs) await accounts.delete(tenantPurges).where(isTenants)
  else
    await accounts
      .update(tenantPurges)
      .set({ nextAt: stragglersUntil + 1 })
      .where(isTenants)
}
