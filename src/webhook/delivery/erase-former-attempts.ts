import { and, inArray, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts } from '../../db/schema.ts'
import { isOfGarment, isWebhookEnabled, type DeliveryKind } from './conditions.ts'

interface StartedDelivery {
  readonly tenantId: string
  readonly garmentUuid: string
  readonly kind: DeliveryKind
}

/**
 * The statement that removes the attempts of a delivery that is started over, which gets another number. It stands in
 * the same batch before the statement that does so, and holds on the same condition.
 */
export function eraseFormerAttempts(
  db: Database,
  { tenantId, garmentUuid, kind }: StartedDelivery,
  when: SQL | undefined,
) {
  const former = db
    .select({ number: deliveries.number })
    .from(deliveries)
    .where(and(isOfGarment(tenantId, garmentUuid, kind), isWebhookEnabled(db, tenantId), when))
  return db.delete(deliveryAttempts).where(inArray(deliveryAttempts.deliveryNumber, former))
}
