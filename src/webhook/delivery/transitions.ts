import { and, eq, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { deliveries, webhookConfigs } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { queueGraceMs } from '../../queue/enqueue.ts'
import type { DeliveryMessage } from './message.ts'

/** What a delivery is given whenever nobody holds it: no claim, no lease, and all its crashes forgiven. */
const unclaimed = { claimId: null, leaseUntil: null, claims: 0, redeliveredFrom: null } as const

const neverAttempted = {
  status: 'pending',
  attemptCount: 0,
  lastAttemptAt: null,
  lastError: '',
  responseStatus: 0,
  ...unclaimed,
} as const

/**
 * The statement that gives a garment its delivery, or starts its delivery over under a new id, if the tenant's webhook
 * is enabled and `when` holds. `when` is a condition on the garment's state, so that the statement can stand in the
 * batch that ends the garment; it must come before the statement that changes that state. The statement returns a row
 * if the delivery was started, and only then is `message` to be enqueued.
 */
export function startDelivery(db: Database, tenantId: string, garmentUuid: string, when: SQL, nowMs: number) {
  const id = newId()
  const fresh = {
    ...neverAttempted,
    id,
    nextAttemptAt: nowMs,
    dueAt: nowMs + queueGraceMs,
    createdAt: nowMs,
    updatedAt: nowMs,
  }
  const statement = db
    .insert(deliveries)
    .select(
      db
        .select(selectValues(deliveries, { ...fresh, tenantId, garmentUuid }))
        .from(webhookConfigs)
        .where(and(eq(webhookConfigs.tenantId, tenantId), eq(webhookConfigs.enabled, true), when)),
    )
    .onConflictDoUpdate({ target: [deliveries.tenantId, deliveries.garmentUuid], set: fresh })
    .returning({ id: deliveries.id })
  const message: DeliveryMessage = { tenantId, deliveryId: id, attempt: 1 }
  return { statement, message }
}
