import { and, asc, eq, inArray, isNotNull, isNull, lte, not, or, sql, type SQL } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import { configEndpointId, deliveries, rangeRedeliveries, webhookEndpoints } from '../platform/db/schema.ts'
import { addToDailyCount } from '../platform/db/daily-counts.ts'
import { switchedOff } from './delivery-error.ts'
import {
  type DeliveryRow,
  type EndpointRow,
  isDelivery,
  isEndpoint,
  isEndpointEnabled,
  isUnleased,
  unclaimed,
} from './delivery.ts'

/** Bounds one transaction, so that a tenant with many pending deliveries does not block the database for others. */
const endStepSize = 1000

/** Excludes deliveries that had ended before a manual redelivery, which are counted already. */
export const isNewEnding = or(isNull(deliveries.redeliveredFrom), eq(deliveries.redeliveredFrom, 'pending'))

/**
 * Ends and counts at most `endStepSize` pending deliveries of a tenant, those due first. A delivery that was delivered
 * before a manual redelivery becomes delivered again. The last statement returns a row for each.
 */
export function endDeliveries(db: Database, tenantId: string, which: SQL | undefined, reason: string, nowMs: number) {
  const found = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), isNotNull(deliveries.dueAt), which))
    .orderBy(asc(deliveries.dueAt))
    .limit(endStepSize)
  const ended = db.$count(deliveries, and(inArray(deliveries.id, found), isNewEnding))
  return [
    addToDailyCount(db, tenantId, 'permanently_failed', ended, nowMs),
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
      .where(and(eq(deliveries.tenantId, tenantId), inArray(deliveries.id, found)))
      .returning({ id: deliveries.id }),
  ] as const
}

/** Ends a delivery whose endpoint was disabled while attempt `attempt` was made. */
export function endIfSwitchedOff(db: Database, delivery: DeliveryRow, attempt: number, nowMs: number) {
  const { tenantId, endpointId } = delivery
  const isWaiting = and(
    isDelivery(delivery),
    eq(deliveries.attemptCount, attempt),
    isNull(deliveries.leaseUntil),
    not(isEndpointEnabled(tenantId, endpointId)),
  )
  return endDeliveries(db, tenantId, isWaiting, switchedOff, nowMs)
}

/** Steps that a request makes at once. The sweep ends the remaining deliveries. */
const stepsOfRequest = 2

/** Ends pending deliveries to an endpoint marked with `endedUntil`. A running attempt ends its own delivery. */
export async function endPendingDeliveries(
  db: Database,
  tenantId: string,
  endpointId: string,
  reason: string,
  nowMs: number,
): Promise<void> {
  const isForEndpoint = or(eq(rangeRedeliveries.endpointId, endpointId), not(isEndpointEnabled(tenantId)))
  await db
    .update(rangeRedeliveries)
    .set({ nextAt: null })
    .where(and(eq(rangeRedeliveries.tenantId, tenantId), isForEndpoint))
  const endpoint = { tenantId, id: endpointId, endedUntil: nowMs, endedReason: reason }
  for (let step = 0; step < stepsOfRequest; step++) if ((await endMarked(db, endpoint, nowMs)) < endStepSize) return
}

type MarkedEndpoint = Pick<EndpointRow, 'tenantId' | 'id' | 'endedUntil' | 'endedReason'>

async function endMarked(db: Database, { tenantId, id, endedUntil, endedReason }: MarkedEndpoint, nowMs: number) {
  const which = and(eq(deliveries.endpointId, id), lte(deliveries.updatedAt, endedUntil ?? 0), isUnleased(nowMs))
  const { ended } = await runBatch(db, { ended: endDeliveries(db, tenantId, which, endedReason ?? switchedOff, nowMs) })
  return ended.length
}

const maxSteps = 20

/**
 * Ends deliveries of disabled or deleted endpoints, then removes the deleted endpoints. Oldest mark first, so that new
 * marks cannot starve old ones. Returns how many deliveries it ended.
 */
export async function continueEndings(db: Database, nowMs: number): Promise<number> {
  const endpoints = await db
    .select()
    .from(webhookEndpoints)
    .where(isNotNull(webhookEndpoints.endedUntil))
    .orderBy(asc(webhookEndpoints.endedUntil))
    .limit(maxSteps)
  let [count, steps] = [0, 0]
  for (const endpoint of endpoints)
    for (let isDone = false; !isDone && steps < maxSteps; steps++) {
      const ended = await endMarked(db, endpoint, nowMs)
      count += ended
      isDone = ended < endStepSize
      if (isDone) await unmark(db, endpoint)
    }
  return count
}

/**
 * Removes a deleted endpoint, or the mark of a disabled one, unless the endpoint has changed. Keeps the row of
 * `/webhook/config`.
 */
async function unmark(db: Database, { tenantId, id, url, revision }: EndpointRow): Promise<void> {
  const isSame = and(isEndpoint(tenantId, id), eq(webhookEndpoints.revision, revision))
  await (id !== configEndpointId && url === null
    ? db.delete(webhookEndpoints).where(isSame)
    : db.update(webhookEndpoints).set({ endedUntil: null, endedReason: null }).where(isSame))
}
