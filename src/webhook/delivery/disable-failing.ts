import { and, eq, lte } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { webhookConfigs } from '../../db/schema.ts'
import { log } from '../../log.ts'
import { endPendingDeliveries } from './end-pending.ts'

const dayMs = 24 * 60 * 60 * 1000

/** How long a receiver may fail everything before we stop calling it. */
export const failingLimitMs = 5 * dayMs

/** One bad answer after days of silence says little: the delivery that failed must itself have failed for this long. */
const evidenceMs = dayMs

export const disabledReason = (failingSince: number) =>
  `Switched off by the service: every delivery since ${new Date(failingSince).toISOString()} has failed`

export function isToBeDisabled(failingSince: number | null, deliveryCreatedAt: number, now: number): boolean {
  return failingSince !== null && failingSince <= now - failingLimitMs && deliveryCreatedAt <= now - evidenceMs
}

/** Switches the webhook of a receiver that has failed since `failingSince` off, and ends what is pending. */
export async function disableFailing(db: Database, tenantId: string, failingSince: number, now: number): Promise<void> {
  const reason = disabledReason(failingSince)
  // Not if a success or a new configuration came in between.
  const disabled = await db
    .update(webhookConfigs)
    .set({ enabled: false, disabledReason: reason, updatedAt: now })
    .where(
      and(
        eq(webhookConfigs.tenantId, tenantId),
        eq(webhookConfigs.enabled, true),
        lte(webhookConfigs.failingSince, now - failingLimitMs),
      ),
    )
    .returning({ tenantId: webhookConfigs.tenantId })
  if (disabled.length === 0) return
  log('warn', 'webhook disabled', { tenant: tenantId })
  await endPendingDeliveries(db, tenantId, reason, now)
}
