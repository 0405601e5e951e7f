import { asc, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, rangeRedeliveries, webhookConfigs, webhookEndpoints } from '../../db/schema.ts'

/** Removes a deleted tenant's endpoints and at most `limit` deliveries. Returns how many. */
export async function purgeWebhook(db: Database, tenantId: string, limit: number): Promise<number> {
  const some = db
    .select({ number: deliveries.number })
    .from(deliveries)
    .where(eq(deliveries.tenantId, tenantId))
    .orderBy(asc(deliveries.garmentUuid))
    .limit(limit)
  const [, removed] = await db.batch([
    db.delete(deliveryAttempts).where(inArray(deliveryAttempts.deliveryNumber, some)),
    db.delete(deliveries).where(inArray(deliveries.number, some)).returning({ number: deliveries.number }),
    db.delete(webhookConfigs).where(eq(webhookConfigs.tenantId, tenantId)),
    db.delete(webhookEndpoints).where(eq(webhookEndpoints.tenantId, tenantId)),
    db.delete(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId)),
  ])
  return removed.length
}
