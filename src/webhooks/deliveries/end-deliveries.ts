import { and, eq, lte } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { webhookEndpoints } from '../../platform/db/schema.ts'
import { log } from '../../log.ts'
import { dayMs, toIso } from '../../time.ts'
import { storeDeliveryError } from '../../events/delivery-error.ts'
import { isEndpoint } from '../../events/delivery.ts'
import type { DeliveryRow } from '../../events/delivery.ts'
import { endPendingDeliveries } from '../../events/transitions.ts'

/** How long every attempt at a receiver may fail before the service stops calling it. */
const failingLimitMs = 5 * dayMs

/** One failure after days of silence is weak evidence: the delivery that failed must itself be this old. */
const minDeliveryAgeMs = dayMs

export function isToBeDisabled(failingSince: number | null, deliveryCreatedAt: number, nowMs: number): boolean {
  return (
    failingSince !== null && failingSince <= nowMs - failingLimitMs && deliveryCreatedAt <= nowMs - minDeliveryAgeMs
  )
}

/** Disables an endpoint whose receiver has failed since `failingSince`, and ends what is pending. */
export async function disableFailing(
  db: Database,
  receiver: Pick<DeliveryRow, 'tenantId' | 'endpoint'>,
  failingSince: number,
  nowMs: number,
) {
  const reason = storeDeliveryError('always_failing', { since: toIso(failingSince) })
  // Not if an attempt has succeeded or the configuration was replaced meanwhile.
  const disabled = await db
    .update(webhookEndpoints)
    .set({ enabled: false, disabledReason: reason, updatedAt: nowMs, endedUntil: nowMs, endedReason: reason })
    .where(
      and(
        isEndpoint(receiver),
        eq(webhookEndpoints.enabled, true),
        lte(webhookEndpoints.failingSince, nowMs - failingLimitMs),
      ),
    )
    .returning({ tenantId: webhookEndpoints.tenantId })
  if (disabled.length === 0) return
  log('warn', 'webhook disabled', { tenant: receiver.tenantId, endpoint: receiver.endpoint })
  await endPendingDeliveries(db, receiver, reason, nowMs)
}
