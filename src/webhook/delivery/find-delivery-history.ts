import { eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { PageRequest } from '../../db/page.ts'
import { deliveries, webhookConfigs } from '../../db/schema.ts'
import { isOfGarment, type DeliveryKind } from './conditions.ts'
import { cutAttempts, newestAttemptsQuery } from './list-attempts.ts'

/**
 * The delivery of a garment, a page of its attempts (newest first) and whether the webhook is enabled, in one round
 * trip; null for an unknown uuid or another tenant's.
 */
export async function findDeliveryHistory(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  page: PageRequest,
  kind: DeliveryKind = 'tagging',
) {
  const [[delivery], attempts, [config]] = await db.batch([
    db
      .select()
      .from(deliveries)
      .where(isOfGarment(tenantId, garmentUuid, kind)),
    newestAttemptsQuery(db, tenantId, { garmentUuid, kind }, page),
    db.select({ enabled: webhookConfigs.enabled }).from(webhookConfigs).where(eq(webhookConfigs.tenantId, tenantId)),
  ])
  if (delivery === undefined) return null
  const { rows, nextCursor } = cutAttempts(attempts, page.limit)
  return { delivery, attempts: rows, nextCursor, isWebhookOn: config?.enabled ?? false }
}
