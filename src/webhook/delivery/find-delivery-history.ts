import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, webhookConfigs } from '../../db/schema.ts'

/**
 * The delivery of a garment, its newest attempts (newest first) and whether the webhook is on, in one round trip; null
 * for an unknown or another's uuid. `until` is the time of the newest attempt to show, ms since epoch.
 */
export async function findDeliveryHistory(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  { limit, until = Number.MAX_SAFE_INTEGER }: { limit: number; until?: number | undefined },
) {
  const mine = and(eq(deliveries.tenantId, tenantId), eq(deliveries.garmentUuid, garmentUuid))
  const [found, attempts, configs] = await db.batch([
    db.select().from(deliveries).where(mine),
    db
      .select()
      .from(deliveryAttempts)
      .where(
        and(
          eq(deliveryAttempts.tenantId, tenantId),
          eq(deliveryAttempts.deliveryId, sql`(SELECT id FROM ${deliveries} WHERE ${mine})`),
          lte(deliveryAttempts.at, until),
        ),
      )
      .orderBy(desc(deliveryAttempts.at), desc(deliveryAttempts.id))
      .limit(limit + 1),
    db.select({ enabled: webhookConfigs.enabled }).from(webhookConfigs).where(eq(webhookConfigs.tenantId, tenantId)),
  ])
  const delivery = found[0]
  if (delivery === undefined) return null
  return {
    delivery,
    attempts: attempts.slice(0, limit),
    /** `until` of the next older attempts. */
    olderUntil: attempts[limit]?.at ?? null,
    isWebhookOn: configs[0]?.enabled ?? false,
  }
}
