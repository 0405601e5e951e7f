import type { Database } from '../../db/client.ts'
import type { PageRequest } from '../../db/page.ts'
import { deliveries, firstEndpoint, webhookEndpoints } from '../../db/schema.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { isEndpoint } from '../config/config-row.ts'
import { isOfGarment } from './conditions.ts'
import { cutAttempts, newestAttemptsQuery } from './list-attempts.ts'

/**
 * The delivery of a garment, a page of its attempts (newest first) and whether its endpoint is enabled, in one round
 * trip; null for an unknown uuid or another tenant's.
 */
export async function findDeliveryHistory(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  page: PageRequest,
  kind: DeliveryKind = 'tagging',
  endpoint = firstEndpoint,
) {
  const [[delivery], attempts, [config]] = await db.batch([
    db
      .select()
      .from(deliveries)
      .where(isOfGarment(tenantId, garmentUuid, kind, endpoint)),
    newestAttemptsQuery(db, tenantId, { garmentUuid, kind, endpoint }, page),
    db.select({ enabled: webhookEndpoints.enabled }).from(webhookEndpoints).where(isEndpoint({ tenantId, endpoint })),
  ])
  if (delivery === undefined) return null
  const { rows, nextCursor } = cutAttempts(attempts, page.limit)
  return { delivery, attempts: rows, nextCursor, isWebhookOn: config?.enabled ?? false }
}
