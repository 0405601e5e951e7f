import { sql, type SQL } from 'drizzle-orm'
import { batch } from '../../db/batch.ts'
import type { Database } from '../../db/client.ts'
import { dayOf } from '../../usage/day.ts'
import { dailyCounts, deliveries } from '../../db/schema.ts'

/** Bounds one transaction, so that a tenant with many pending deliveries does not hold up the database for others. */
const stepSize = 1000

/** A lease that runs means that an attempt is being made; its own note ends the delivery if the webhook is off by then. */
const notBeingAttempted = (now: number) => sql`(lease_until IS NULL OR lease_until <= ${now})`

/**
 * The statements that end the pending deliveries of `tenantId` that match `which` as permanently failed, and count them.
 * One that was delivered before a manual redelivery stays delivered.
 */
export function endStatements(tenantId: string, which: SQL, reason: string, now: number): [SQL, SQL] {
  const found = sql`SELECT id, redelivered_from FROM ${deliveries} WHERE tenant_id = ${tenantId} AND status = 'pending' AND ${which}`
  return [
    sql`
      INSERT INTO ${dailyCounts} (tenant_id, day, kind, count)
      SELECT ${tenantId}, ${dayOf(now)}, 'permanently_failed', count(*)
      FROM (${found}) WHERE coalesce(redelivered_from, 'pending') = 'pending' HAVING count(*) > 0
      ON CONFLICT (tenant_id, day, kind) DO UPDATE SET count = count + excluded.count`,
    sql`
      UPDATE ${deliveries} SET status = CASE redelivered_from WHEN 'delivered' THEN 'delivered' ELSE 'permanently_failed' END,
        next_attempt_at = NULL, due_at = NULL, claim_id = NULL,
        lease_until = NULL, claims = 0, redelivered_from = NULL, last_error = ${reason}, updated_at = ${now}
      WHERE id IN (SELECT id FROM (${found})) RETURNING id`,
  ]
}

/** Ends every pending delivery of a tenant, step by step. Should it break off, the rest end at their next attempt. */
export async function endPendingDeliveries(db: Database, tenantId: string, reason: string, now: number): Promise<void> {
  const which = sql`${notBeingAttempted(now)} ORDER BY created_at, id LIMIT ${stepSize}`
  for (;;) {
    const [, ended = []] = await batch(db, endStatements(tenantId, which, reason, now))
    if (ended.length < stepSize) return
  }
}
