import { and, asc, eq, gt, inArray, isNull, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, rangeRedeliveries } from '../../db/schema.ts'
import { countEnded } from '../../usage/count-ended.ts'
import { isUnleased, isWebhookEnabled, unclaimed, type DeliveryRow } from './conditions.ts'

export const switchedOff = 'The webhook was switched off'

/** Bounds one transaction, so that a tenant with many pending deliveries does not block the database for others. */
const endStepSize = 250

/**
 * Ends pending deliveries of a tenant, at most `endStepSize`, those due first, and counts them. One that was delivered
 * before a manual redelivery stays delivered. The second statement returns a row for each.
 */
export function endDeliveries(db: Database, tenantId: string, which: SQL | undefined, reason: string, nowMs: number) {
  const found = db
    .select({ number: deliveries.number })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), gt(deliveries.dueAt, 0), which))
    .orderBy(asc(deliveries.dueAt))
    .limit(endStepSize)
  const isNewEnding = sql`coalesce(${deliveries.redeliveredFrom}, 'pending') = 'pending'`
  const ended = sql`SELECT count(*) FROM ${deliveries} WHERE ${inArray(deliveries.number, found)} AND ${isNewEnding}`
  return [
    countEnded(db, tenantId, 'permanently_failed', ended, nowMs),
    db
      .update(deliveries)
      .set({
        ...unclaimed,
        status: sql`CASE ${deliveries.redeliveredFrom} WHEN 'delivered' THEN 'delivered' ELSE 'permanently_failed' END`,
        nextAttemptAt: null,
        dueAt: null,
        redeliveredFrom: null,
        lastError: reason,
        updatedAt: nowMs,
      })
      .where(inArray(deliveries.number, found))
      .returning({ number: deliveries.number }),
  ] as const
}

/** Ends the pending deliveries without a running attempt, which ends its delivery itself. */
const endWaitingDeliveries = (db: Database, tenantId: string, reason: string, nowMs: number) =>
  endDeliveries(db, tenantId, isUnleased(nowMs), reason, nowMs)

/** Ends a delivery whose webhook was disabled during attempt `attempt`, which has been recorded. */
export function endIfSwitchedOff(db: Database, { tenantId, number }: DeliveryRow, attempt: number, nowMs: number) {
  const isWaiting = and(
    eq(deliveries.number, number),
    eq(deliveries.attemptCount, attempt),
    isNull(deliveries.leaseUntil),
    sql`NOT ${isWebhookEnabled(db, tenantId)}`,
  )
  return endDeliveries(db, tenantId, isWaiting, switchedOff, nowMs)
}

/** Ends every pending delivery of a tenant, step by step. If it breaks off, the rest end at their next attempt. */
export async function endPendingDeliveries(db: Database, tenantId: string, reason: string, nowMs: number) {
  await db.delete(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId))
  for (;;) {
    const [, ended] = await db.batch(endWaitingDeliveries(db, tenantId, reason, nowMs))
    if (ended.length < endStepSize) return
  }
}
