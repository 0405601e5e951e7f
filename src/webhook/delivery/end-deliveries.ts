import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, not, notLike, or, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import {
  accountEndpoint,
  deliveries,
  deliveryAttempts,
  firstEndpoint,
  rangeRedeliveries,
  webhookEndpoints,
} from '../../db/schema.ts'
import { countEnded } from '../../usage/count-ended.ts'
import { storeDeliveryError, switchedOff } from '../delivery-error.ts'
import { isEndpoint } from '../config/config-row.ts'
import { areAttemptsOf } from './made-attempts.ts'
import { isDelivery, isEndpointEnabled, isUnleased, unclaimed, type DeliveryRow } from './conditions.ts'

export const endpointDeleted = storeDeliveryError('endpoint_deleted')

/** Bounds one transaction, so that a tenant with many pending deliveries does not block the database for others. */
const endStepSize = 1000

/** Ending counts, unless the delivery had ended before a manual redelivery, or is an account's. */
const isNewEnding = sql`coalesce(${deliveries.redeliveredFrom}, 'pending') = 'pending' AND ${deliveries.endpoint} <> ${accountEndpoint}`

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

/**
 * Removes a garment's deliveries with their attempts if `when` holds, but for those of its deletion. Counts the pending
 * ones as ended.
 */
export function removeDeliveries(
  db: Database,
  { tenantId, garmentUuid, when }: { readonly tenantId: string; readonly garmentUuid: string; readonly when: SQL },
  nowMs: number,
) {
  const areRemoved = and(
    eq(deliveries.tenantId, tenantId),
    eq(deliveries.garmentUuid, garmentUuid),
    notLike(deliveries.deliveryKey, 'deletion%'),
    when,
  )
  const pending = and(areRemoved, eq(deliveries.status, 'pending'), isNewEnding)
  return [
    countEnded(db, tenantId, 'permanently_failed', sql`SELECT count(*) FROM ${deliveries} WHERE ${pending}`, nowMs),
    db.delete(deliveryAttempts).where(areAttemptsOf(db, tenantId, areRemoved)),
    db.delete(deliveries).where(areRemoved),
  ] as const
}

/** Ends a delivery whose endpoint was disabled during attempt `attempt`, which has been recorded. */
export function endIfSwitchedOff(db: Database, delivery: DeliveryRow, attempt: number, nowMs: number) {
  const { tenantId, endpoint } = delivery
  const isWaiting = and(
    isDelivery(delivery),
    eq(deliveries.attemptCount, attempt),
    isNull(deliveries.leaseUntil),
    not(isEndpointEnabled(db, tenantId, endpoint)),
  )
  return endDeliveries(db, tenantId, isWaiting, switchedOff, nowMs)
}

/** Steps that a request makes at once, which is enough for most tenants. */
const stepsOfRequest = 2

interface Receiver {
  readonly tenantId: string
  readonly endpoint: string
}

/**
 * Ends every pending delivery to an endpoint that was marked with `endedUntil` when it was disabled. Nothing is sent
 * from then on; the rows follow in steps, the first now, the others in the sweep. An attempt in progress ends its own
 * delivery if the endpoint is disabled.
 */
export async function endPendingDeliveries(db: Database, receiver: Receiver, reason: string, nowMs: number) {
  const { tenantId, endpoint } = receiver
  const isOfEndpoint = or(eq(rangeRedeliveries.endpoint, endpoint), not(isEndpointEnabled(db, tenantId)))
  await db.delete(rangeRedeliveries).where(and(eq(rangeRedeliveries.tenantId, tenantId), isOfEndpoint))
  for (let step = 0; step < stepsOfRequest; step++) {
    const [, rows] = await db.batch(endMarked(db, { ...receiver, endedUntil: nowMs, endedReason: reason }, nowMs))
    if (rows.length < endStepSize) return
  }
}

interface EndedReceiver extends Receiver {
  readonly endedUntil: number
  readonly endedReason: string
}

function endMarked(db: Database, { tenantId, endpoint, endedUntil, endedReason }: EndedReceiver, nowMs: number) {
  const which = and(eq(deliveries.endpoint, endpoint), lte(deliveries.updatedAt, endedUntil), isUnleased(nowMs))
  return endDeliveries(db, tenantId, which, endedReason, nowMs)
}

/** Of all tenants in one sweep. */
const maxSteps = 20

/** Ends the rows of deliveries that are over already, then removes endpoints that were deleted. Returns how many. */
export async function continueEndings(db: Database, nowMs: number): Promise<number> {
  const receivers = await db
    .select()
    .from(webhookEndpoints)
    .where(isNotNull(webhookEndpoints.endedUntil))
    // Those first that were marked first, so that many new ones do not keep others waiting.
    .orderBy(asc(webhookEndpoints.endedUntil))
    .limit(maxSteps)
  let [count, steps] = [0, 0]
  for (const receiver of receivers) {
    const { endedUntil, endedReason } = receiver
    if (endedUntil === null) continue
    for (let isDone = false; !isDone && steps < maxSteps; steps++) {
      const [, ended] = await db.batch(endMarked(db, { ...receiver, endedUntil, endedReason }, nowMs))
      count += ended.length
      isDone = ended.length < endStepSize
      if (!isDone) continue
      // Not if it was disabled again meanwhile.
      const isSame = and(isEndpoint(receiver), eq(webhookEndpoints.endedUntil, endedUntil))
      const isDeleted = receiver.endpoint !== firstEndpoint && receiver.url === ''
      // An account's may have been configured again since it was read; the next sweep takes its mark off.
      const isGone = and(isSame, eq(webhookEndpoints.url, ''))
      await (isDeleted
        ? db.delete(webhookEndpoints).where(isGone)
        : db.update(webhookEndpoints).set({ endedUntil: null }).where(isSame))
    }
  }
  return count
}
