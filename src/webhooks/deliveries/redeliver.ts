import { and, asc, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import { type Database, hasRow, runBatch, selectRow } from '../../platform/db/database.ts'
import { deliveries, firstEndpoint, rangeRedeliveries } from '../../platform/db/schema.ts'
import { newerThan } from '../../platform/db/page.ts'
import {
  type DeliveryRow,
  isEndpointEnabled,
  isEndpointKnown,
  isOfGarment,
  nextMessage,
  endedStatuses,
} from '../../events/delivery.ts'
import { redeliverDeliveries } from '../../events/transitions.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { findConfigRow } from '../endpoints/endpoint.ts'
import { getDelivery } from './list-deliveries.ts'

export type RangeRedelivery = typeof rangeRedeliveries.$inferSelect

/** The query of a tenant's redelivery of a time range that is in progress, for a batch. */
export const rangeRedeliveryQuery = (db: Database, tenantId: string) =>
  db.select().from(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId))

export interface TimeRange {
  readonly fromMs: number
  /** Exclusive. */
  readonly untilMs: number
  /** All if absent. */
  readonly endpoint?: string | undefined
  /** Every ended one if absent. */
  readonly status?: EndedStatus | undefined
}

type EndedStatus = (typeof endedStatuses)[number]

/** `sendBatch` takes at most 100 messages. */
const stepSize = 100

/** For all tenants in one sweep: 1,000 deliveries and 41 queries. */
const maxSteps = 10

/**
 * Redelivers every ended delivery that was created in the range, of enabled endpoints. The sweep does so step by step
 * from what is stored here. Throws 404 for an unknown endpoint, and 409 if none is enabled or the tenant's earlier
 * redelivery is still in progress.
 */
export async function redeliverRange(
  db: Database,
  tenantId: string,
  { fromMs, untilMs, endpoint = '', status }: TimeRange,
  nowMs: number,
) {
  const isEnabled = isEndpointEnabled(tenantId, endpoint === '' ? undefined : endpoint)
  const position = { fromAt: fromMs, positionAt: fromMs, positionId: '', until: untilMs }
  const row = { tenantId, endpoint, status: status ?? '', ...position, redelivered: 0, nextAt: nowMs } as const
  const isKnown = endpoint === '' ? sql`1` : isEndpointKnown(tenantId, endpoint)
  const {
    config: [config],
    inserted: [inserted],
  } = await runBatch(db, {
    config: db.select({ isKnown: sql<number>`${isKnown}`, isEnabled: sql<number>`${isEnabled}` }).from(sql`(SELECT 1)`),
    inserted: db
      .insert(rangeRedeliveries)
      .select(selectRow(db, rangeRedeliveries, row, isEnabled))
      .onConflictDoNothing()
      .returning(),
  })
  if (inserted !== undefined) return
  if (config?.isKnown === 0) throw new ApiError('endpoint_not_found')
  if (config?.isEnabled === 0) throw new ApiError('webhook_off')
  throw new ApiError('redelivery_under_way')
}

/** Continues the redeliveries of time ranges, those that waited longest first. Returns how many were enqueued. */
export async function continueRangeRedeliveries(
  { db, queue }: { readonly db: Database; readonly queue: Queue },
  nowMs: number,
): Promise<number> {
  const due = await db
    .select()
    .from(rangeRedeliveries)
    .where(lte(rangeRedeliveries.nextAt, nowMs))
    .orderBy(asc(rangeRedeliveries.nextAt))
    .limit(maxSteps)
  let count = 0
  for (const redelivery of due) {
    let rest: RangeRedelivery | null = redelivery
    for (let step = 0; step < Math.floor(maxSteps / due.length) && rest !== null; step++) {
      const result = await redeliverStep(db, queue, rest, nowMs)
      count += result.count
      rest = result.rest
    }
  }
  return count
}

/** Redelivers the next deliveries of the range and stores the new position, in one transaction; then enqueues them. */
async function redeliverStep(db: Database, queue: Queue, redelivery: RangeRedelivery, nowMs: number) {
  const { tenantId, positionAt, positionId } = redelivery
  const ended = {
    delivered: oldestOfRange(db, redelivery, 'delivered'),
    failed: oldestOfRange(db, redelivery, 'permanently_failed'),
  }
  const { delivered, failed } = await runBatch(db, ended)
  const oldest = [...delivered, ...failed].sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
  /** Undefined if this is the last step. */
  const last = oldest[stepSize - 1]
  // Another sweep may have made this step meanwhile.
  const isHere = and(
    eq(rangeRedeliveries.tenantId, tenantId),
    eq(rangeRedeliveries.positionAt, positionAt),
    eq(rangeRedeliveries.positionId, positionId),
  )
  const which = and(
    // The query builder limits a union only as a whole.
    sql`${deliveries.number} IN (SELECT number FROM ${ended.delivered} UNION ALL SELECT number FROM ${ended.failed})`,
    last && sql`(${deliveries.createdAt}, ${deliveries.id}) <= (${last.at}, ${last.id})`,
    hasRow(rangeRedeliveries, isHere),
  )
  const rest = last === undefined ? null : { ...redelivery, positionAt: last.at, positionId: last.id, nextAt: nowMs }
  const { rows } = await runBatch(db, {
    rows: redeliverDeliveries(db, tenantId, which, nowMs),
    position:
      rest === null
        ? db.delete(rangeRedeliveries).where(isHere)
        : db
            .update(rangeRedeliveries)
            .set({ ...rest, redelivered: sql`${rangeRedeliveries.redelivered} + changes()` })
            .where(isHere),
  })
  for (let from = 0; from < rows.length; from += stepSize)
    await queue.sendBatch(rows.slice(from, from + stepSize).map((row) => ({ body: nextMessage(row) })))
  return { count: rows.length, rest }
}

/** The oldest deliveries of a status that are left of the range, as many as a step takes. */
function oldestOfRange(db: Database, redelivery: RangeRedelivery, status: EndedStatus) {
  const position = { at: redelivery.positionAt, id: redelivery.positionId }
  return db
    .select({ number: deliveries.number, at: deliveries.createdAt, id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.tenantId, redelivery.tenantId),
        redelivery.endpoint === '' ? undefined : eq(deliveries.endpoint, redelivery.endpoint),
        isNull(deliveries.dueAt),
        eq(deliveries.status, status),
        redelivery.status === '' || redelivery.status === status ? undefined : sql`false`,
        newerThan(deliveries.createdAt, deliveries.id, position),
        lt(deliveries.createdAt, redelivery.until),
      ),
    )
    .orderBy(asc(deliveries.createdAt), asc(deliveries.id))
    .limit(stepSize)
}

/**
 * Makes one more attempt of a garment's delivery now, whatever its status, in place of the retry that waits.
 * Throws 404 if there is no delivery, 409 if the webhook is disabled or an attempt is being made.
 */
export async function redeliver(
  db: Database,
  queue: Queue,
  tenantId: string,
  garmentUuid: string,
  nowMs: number,
  kind: DeliveryKind = 'tagging',
  endpoint = firstEndpoint,
): Promise<DeliveryRow> {
  const [row] = await redeliverDeliveries(db, tenantId, isOfGarment(tenantId, garmentUuid, kind, endpoint), nowMs)
  if (row === undefined) throw await refusal(db, await getDelivery(db, tenantId, garmentUuid, kind, endpoint))
  await enqueue(queue, nextMessage(row))
  return row
}

async function refusal(db: Database, { tenantId, endpoint }: DeliveryRow): Promise<ApiError> {
  const config = await findConfigRow(db, tenantId, endpoint)
  return config?.enabled ? new ApiError('attempt_under_way') : new ApiError('webhook_off')
}
