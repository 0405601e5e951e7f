import { and, eq, lte } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { webhookConfigs } from '../../db/schema.ts'
import { log } from '../../log.ts'
import { storeDeliveryError } from '../delivery-error.ts'
import { endPendingDeliveries } from './end-deliveries.ts'

const dayMs = 24 * 60 * 60 * 1000

/** How long every attempt at a receiver may fail before the service stops calling it. */
const failingLimitMs = 5 * dayMs

/** One failure after days of silence is weak evidence: the delivery that failed must itself be this old. */
const minDeliveryAgeMs = dayMs

export function isToBeDisabled(failingSince: number | null, deliveryCreatedAt: number, nowMs: number): boolean {
  return (
    failingSince !== null && failingSince <= nowMs - failingLimitMs && deliveryCreatedAt <= nowMs - minDeliveryAgeMs
  )
}

/** Disables the webhook of a receiver that has failed since `failingSince`, and ends what is pending. */
export async function disableFailing(db: Database, tenantId: string, failingSince: number, nowMs: number) {
  const reason = storeDeliveryError('always_failing', { since: new Date(failingSince).toISOString() })
  // Not if an attempt has succeeded or the configuration was replaced meanwhile.
  const disabled = await db
    .update(webhookConfigs)
    .set({ enabled: false, disabledReason: reason, updatedAt: nowMs })
    .where(
      and(
        eq(webhookConfigs.tenantId, tenantId),
        eq(webhookConfigs.enabled, true),
        lte(webhookConfigs.failingSince, nowMs - failingLimitMs),
      ),
    )
    .returning({ tenantId: webhookConfigs.tenantId })
  if (disabled.length === 0) return
  log('warn', 'webhook disabled', { tenant: tenantId })
  await endPendingDeliveries(db, tenantId, reason, nowMs)
}
