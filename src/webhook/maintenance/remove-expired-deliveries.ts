import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { ExpiringTenant } from '../../tenant/expiring-tenants.ts'
import { deliveries, deliveryAttempts } from '../../db/schema.ts'

/**
 * Removes at most `limit` ended deliveries that are older than their tenant's retention period, with their attempts.
 * Returns how many.
 */
export async function removeExpiredDeliveries(
  db: Database,
  tenants: readonly ExpiringTenant[],
  limit: number,
): Promise<number> {
  // Tenant by tenant, so that the index by status finds the old ones. CROSS JOIN keeps SQLite from another order.
  const expired = (column: SQL) => sql`(
    SELECT ${column} FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${deliveries} AS expired INDEXED BY deliveries_by_status
    WHERE expired.tenant_id = tenant.value ->> 'id' AND expired.due_at IS NULL AND expired.status IN ('delivered', 'permanently_failed')
      AND expired.created_at < tenant.value ->> 'beforeMs'
    LIMIT ${limit}
  )`
  const [, removed] = await db.batch([
    db.delete(deliveryAttempts).where(sql`(tenant_id, delivery_id) IN ${expired(sql`expired.tenant_id, expired.id`)}`),
    db
      .delete(deliveries)
      .where(sql`${deliveries.number} IN ${expired(sql`expired.number`)}`)
      .returning({ number: deliveries.number }),
  ])
  return removed.length
}
