import { and, asc, eq, inArray } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, rangeRedeliveries, webhookEndpoints } from '../../db/schema.ts'

/** Removes a deleted tenant's endpoints and at most `limit` deliveries. Returns how many. */
export async function purgeWebhook(db: Database, tenantId: string, limit: number): Promise<number> {
  const some = (column: SQLiteColumn) =>
    db
      .select({ column })
      .from(deliveries)
      .where(eq(deliveries.tenantId, tenantId))
      .orderBy(asc(deliveries.garmentUuid))
      .limit(limit)
  const areTheirs = and(
    eq(deliveryAttempts.tenantId, tenantId),
    inArray(deliveryAttempts.deliveryId, some(deliveries.id)),
  )
  const [, removed] = await db.batch([
    db.delete(deliveryAttempts).where(areTheirs),
    db
      .delete(deliveries)
      .where(inArray(deliveries.number, some(deliveries.number)))
      .returning({ number: deliveries.number }),
    db.delete(webhookEndpoints).where(eq(webhookEndpoints.tenantId, tenantId)),
    db.delete(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId)),
  ])
  return removed.length
}
