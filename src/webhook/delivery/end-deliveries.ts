import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, rangeRedeliveries, webhookConfigs } from '../../db/schema.ts'
import { countEnded } from '../../usage/count-ended.ts'
import { storeDeliveryError } from '../delivery-error.ts'
import {
  isOfGarment,
  isUnleased,
  isWebhookEnabled,
  unclaimed,
  type DeliveryKind,
  type DeliveryRow,
} from './conditions.ts'

export const switchedOff = storeDeliveryError('switched_off')

/** Bounds one transaction, so that a tenant with many pending deliveries does not block the database for others. */
const endStepSize = 1000

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

/** Steps that a request makes at once, which is enough for most tenants. */
const stepsOfRequest = 3

/**
 * Ends every pending delivery of a tenant: at once by a mark on its configuration, after which none is sent, and the
 * rows step by step. The first steps are made now, the others by the sweep. An attempt that is being made ends a
 * delivery whose webhook is disabled by itself.
 */
export async function endPendingDeliveries(db: Database, tenantId: string, reason: string, nowMs: number) {
  const ended = { endedUntil: nowMs, endedReason: reason }
  await db.batch([
    db.delete(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId)),
    db.update(webhookConfigs).set(ended).where(eq(webhookConfigs.tenantId, tenantId)),
  ])
  for (let step = 0; step < stepsOfRequest; step++) {
    const [, rows] = await db.batch(endMarked(db, { tenantId, ...ended }, nowMs))
    if (rows.length < endStepSize) return
  }
}

interface EndedConfig {
  readonly tenantId: string
  readonly endedUntil: number
  readonly endedReason: string
}

const endMarked = (db: Database, { tenantId, endedUntil, endedReason }: EndedConfig, nowMs: number) =>
  endDeliveries(db, tenantId, and(lte(deliveries.updatedAt, endedUntil), isUnleased(nowMs)), endedReason, nowMs)

/** Of all tenants in one sweep. */
const maxSteps = 30

/** Ends the rows of deliveries that are over already. Returns how many. */
export async function continueEndings(db: Database, nowMs: number): Promise<number> {
  const configs = await db.select().from(webhookConfigs).where(isNotNull(webhookConfigs.endedUntil)).limit(maxSteps)
  let [count, steps] = [0, 0]
  for (const { tenantId, endedUntil, endedReason } of configs) {
    if (endedUntil === null) continue
    for (let isDone = false; !isDone && steps < maxSteps; steps++) {
      const [, ended] = await db.batch(endMarked(db, { tenantId, endedUntil, endedReason }, nowMs))
      count += ended.length
      isDone = ended.length < endStepSize
      if (!isDone) continue
      // Not if it was switched off again meanwhile.
      const isSame = and(eq(webhookConfigs.tenantId, tenantId), eq(webhookConfigs.endedUntil, endedUntil))
      await db.update(webhookConfigs).set({ endedUntil: null }).where(isSame)
    }
  }
  return count
}

interface StartedDelivery {
  readonly tenantId: string
  readonly garmentUuid: string
  readonly kind: DeliveryKind
}

/**
 * The statement that removes the attempts of a delivery that is started over, which gets another number. It stands in the
 * same batch before the statement that does so, and holds on the same condition.
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
