import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { sleep } from '../time.ts'
import { type Actor, recordEntry } from './audit.ts'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { accountDatabase, databaseNumberOf, getDatabase, tenantDatabase } from '../platform/db/databases.ts'
import { deliveries, garments, tenantPurges, tenants, tenantState, webhookEndpoints } from '../platform/db/schema.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'
import { log } from '../log.ts'
import { retryFault } from '../platform/queue/settle.ts'
import { throttle } from '../platform/limits/throttle.ts'
import { openGate, type TenantRow } from './tenant.ts'

/** A merchant has one tenant at a time, so this bounds how many it creates too. */
const deletionsPerMinute = 60

const forgetPausesMs = [100, 500, 2000]

/**
 * Deletes a tenant and leaves a row for the sweep, which removes everything that belonged to it. Its keys are dead at
 * once, since they are looked up by way of the tenant. Throws 409 while a garment is being tagged or a delivery is
 * pending. An upload at the same moment is removed with the rest.
 *
 * The account goes first: if it breaks off then, the sweep still finds what is to be removed.
 */
export async function deleteTenant(
  env: Pick<Env, 'DB' | 'GATE' | 'PICTURES' | 'THROTTLE'>,
  { id, domain, merchantId }: Pick<TenantRow, 'id' | 'domain' | 'merchantId'>,
  nowMs: number,
  by: Actor,
): Promise<void> {
  const db = tenantDatabase(env, id)
  const [isActive] = await Promise.all([
    // Not in the session of a request, which may read a copy that lags behind.
    hasActiveWork(getDatabase(env, databaseNumberOf(id)), id),
    throttle(env, `tenant-deletions:${merchantId}`, deletionsPerMinute),
  ])
  if (isActive) throw new ApiError('tenant_active')
  const accounts = accountDatabase(env)
  const entry = { holderId: merchantId, action: 'tenant.deleted', subject: domain } as const
  const { deleted } = await runBatch(accounts, {
    deleted: accounts.delete(tenants).where(eq(tenants.id, id)).returning({ hasGate: tenants.hasGate }),
    entry: recordEntry(accounts, entry, { by, at: nowMs }),
    purge: accounts
      .insert(tenantPurges)
      .values({ tenantId: id, requestedAt: nowMs, nextAt: nowMs })
      .onConflictDoNothing(),
  })
  const hasGate = deleted[0]?.hasGate === true
  await Promise.all([hasGate ? forgetKeys(env, domain) : undefined, hideTenant(db, id)])
  if (deleted.length === 0) throw new ApiError('tenant_not_found')
  await tryToRecordDeletion(env.PICTURES, { kind: 'tenant', id }, nowMs)
}

/** Repeated here, because a repeated deletion finds no tenant and so does not come as far. */
export async function forgetKeys(env: Pick<Env, 'GATE'>, domain: string): Promise<void> {
  await retryFault(async () => await openGate(env, domain).forget(), forgetPausesMs, sleep)
}

async function hasActiveWork(db: Database, tenantId: string): Promise<boolean> {
  const garment = (index: string, state: SQL) => sql`EXISTS (
    SELECT 1 FROM ${garments} INDEXED BY ${sql.identifier(index)}
    WHERE tenant_id = ${tenantId} AND ended_at IS NULL AND ${state})`
  const delivery = hasRow(deliveries, and(eq(deliveries.tenantId, tenantId), gt(deliveries.dueAt, 0)))
  const [found] = await db.all<{ isActive: number }>(
    sql`SELECT ${garment('garments_queued', sql`queued_at IS NOT NULL`)} OR ${garment('garments_retries', sql`queued_at IS NULL AND due_at IS NOT NULL`)}
      OR ${delivery} AS isActive`,
  )
  return found?.isActive === 1
}

/**
 * Without its row, no picture of the tenant is shown and nothing new is stored, and a garment whose tagging runs on is
 * reported to no endpoint. The sweep removes all of it.
 */
async function hideTenant(db: Database, tenantId: string): Promise<void> {
  try {
    await runBatch(db, {
      tenant: db.delete(tenantState).where(eq(tenantState.tenantId, tenantId)),
      endpoints: db.update(webhookEndpoints).set({ enabled: false }).where(eq(webhookEndpoints.tenantId, tenantId)),
    })
  } catch (error) {
    log('warn', 'deleted tenant not hidden yet', { tenant: tenantId, error })
  }
}
