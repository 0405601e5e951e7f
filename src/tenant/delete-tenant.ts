import { and, eq, exists, gt, isNull, not, notExists, sql } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { deliveries, garments, tenantPurges, tenants } from '../db/schema.ts'
import { selectValues } from '../db/select-values.ts'
import { throttle } from '../rate-limit/throttle.ts'
import { tenantActive, tenantNotFound } from './errors.ts'
import { openGate } from './open-gate.ts'

/** A merchant has one tenant at a time, so this bounds how many it creates too. */
const deletionsPerMinute = 60

export interface OwnTenant {
  readonly id: string
  readonly domain: string
  readonly merchantId: string
}

/**
 * Deletes a tenant and leaves a row for the sweep, which removes everything that belonged to it. Its keys are dead at
 * once, since they are looked up by way of the tenant. Throws 409 while a garment is being tagged or a delivery is
 * pending.
 */
export async function deleteTenant(
  env: Pick<Env, 'DB' | 'GATE' | 'THROTTLE'>,
  { id, domain, merchantId }: OwnTenant,
  nowMs: number,
): Promise<void> {
  await throttle(env, `tenant-deletions:${merchantId}`, deletionsPerMinute)
  const db = openDatabase(env.DB)
  const one = { one: sql`1` }
  const activeGarment = db
    .select(one)
    .from(garments)
    .where(and(eq(garments.tenantId, id), gt(garments.dueAt, 0), isNull(garments.endedAt)))
  const pendingDelivery = db
    .select(one)
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, id), gt(deliveries.dueAt, 0)))
  const stillThere = db.select(one).from(tenants).where(eq(tenants.id, id))
  const [deleted, , remaining] = await db.batch([
    db
      .delete(tenants)
      .where(and(eq(tenants.id, id), not(exists(activeGarment)), not(exists(pendingDelivery))))
      .returning({ id: tenants.id }),
    db
      .insert(tenantPurges)
      .select(
        db
          .select(selectValues(tenantPurges, { tenantId: id, requestedAt: nowMs, nextAt: nowMs }))
          .from(sql`(SELECT 1)`)
          .where(notExists(stillThere)),
      )
      .onConflictDoNothing(),
    stillThere,
  ])
  if (remaining.length > 0) throw tenantActive()
  // Always, so that a repeated call reaches a gate that the first one missed.
  await openGate(env, domain).forget()
  if (deleted.length === 0) throw tenantNotFound()
}
