import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, tenants } from '../../db/schema.ts'

/**
 * Removes at most `limit` ended deliveries that were created before the time `before`, an expression on the row
 * `tenant`, with their attempts. Returns how many.
 */
export async function removeExpiredDeliveries(db: Database, before: SQL<number>, limit: number): Promise<number> {
  // From tenant to tenant, so that the index by status finds the old ones. CROSS JOIN keeps SQLite from another order.
  const expired = sql`(
    SELECT expired.number FROM ${tenants} AS tenant CROSS JOIN ${deliveries} AS expired INDEXED BY deliveries_by_status
    WHERE expired.tenant_id = tenant.id AND expired.due_at IS NULL AND expired.status IN ('delivered', 'permanently_failed')
      AND expired.created_at < ${before}
    LIMIT ${limit}
  )`
  const [, removed] = await db.batch([
    db.delete(deliveryAttempts).where(sql`${deliveryAttempts.deliveryNumber} IN ${expired}`),
    db
      .delete(deliveries)
      .where(sql`${deliveries.number} IN ${expired}`)
      .returning({ number: deliveries.number }),
  ])
  return removed.length
}
