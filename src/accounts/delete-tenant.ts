import { and, eq, gt, sql, type SQL } from 'drizzle-orm'
import { ApiError } from '../platform/http/errors.ts'
import { sleep } from '../time.ts'
import { type Actor, recordEntry } from './audit.ts'
import { type Database, hasRow, runBatch } from '../platform/db/database.ts'
import { accountDatabase, tenantDatabase } from '../platform/db/databases.ts'
import { deliveries, garments, tenantPurges, tenants, tenantState, webhookEndpoints } from '../platform/db/schema.ts'
import { tryToRecordDeletion } from '../platform/deletions.ts'
import { log } from '../log.ts'
import { retryFault } from '../platform/queue/settle.ts'
import { throttle } from '../platform/limits/throttle.ts'
import { openGate, type TenantRow } from './tenant.ts'

const deletionsPerMinute = 60

const forgetPausesMs = [100, 500, 2000]

/**
 * Deletes a tenant. Its keys stop working at once, because keys are looked up through the tenant. The sweep removes
 * everything else, including a concurrent upload. Throws 409 while a garment is being tagged or a delivery is pending.
 */
export async function deleteTenant(
  env: Pick<Env, 'DB' | 'GATE' | 'PICTURES' | 'THROTTLE'>,
  { id, domain, merchantId }: Pick<TenantRow, 'id' | 'domain' | 'merchantId'>,
  nowMs: number,
  by: Actor,
): Promise<void> {
  // Reads without a session, from the primary database, because a replica may lag behind.
  const db = tenantDatabase(env, id)
  const [isActive] = await Promise.all([
    hasActiveWork(db, id),
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

/**
 * Makes a domain's gate read its keys again. Retries here, because a repeated deletion would no longer find the tenant.
 */
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

/** Removes the tenant's row, so that its pictures are no longer served, and disables its endpoints. */
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
