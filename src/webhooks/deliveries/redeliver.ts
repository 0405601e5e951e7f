import { and, asc, eq, gte, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import { type Database, hasRow, inValues, runBatch, selectRow } from '../../platform/db/database.ts'
import { configEndpointId, deliveries, rangeRedeliveries } from '../../platform/db/schema.ts'
import { newerThan } from '../../platform/db/page.ts'
import {
  type DeliveryRow,
  isEndpointEnabled,
  isToEndpoint,
  nextMessage,
  type endedStatuses,
} from '../../events/delivery.ts'
import { redeliverDeliveries } from '../../events/delivery-transitions.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { enqueue, enqueueAll } from '../../platform/queue/enqueue.ts'
import { findEndpointRow, listEndpointRows } from '../endpoints/endpoint.ts'
import { getDelivery, hasStatus } from './list-deliveries.ts'

export type RangeRedelivery = typeof rangeRedeliveries.$inferSelect

export const rangeRedeliveryQuery = (db: Database, tenantId: string) =>
  db.select().from(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId))

export async function getRangeRedelivery(db: Database, tenantId: string): Promise<RangeRedelivery> {
  const [row] = await rangeRedeliveryQuery(db, tenantId)
  if (row === undefined) throw new ApiError('redelivery_not_found')
  return row
}

export interface RedeliveryRange {
  readonly fromMs: number
  readonly untilMs: number
  readonly endpointId: string | null
  readonly status: (typeof endedStatuses)[number] | null
}

/** Limits the deliveries that are read to count the range. */
const maxCounted = 10_000

const stepSize = 100

/** Limits the steps of all tenants in one sweep: 1,000 deliveries and 31 queries. */
const maxSteps = 10

/** Failed deliveries are found by their index. Other filters look at every delivery of the range. */
const isInRange = ({ tenantId, status, until }: Pick<RangeRedelivery, 'tenantId' | 'status' | 'until'>) =>
  and(
    eq(deliveries.tenantId, tenantId),
    status === 'permanently_failed' ? hasStatus(status) : undefined,
    lt(deliveries.createdAt, until),
  )

/**
 * Starts to redeliver every ended delivery of the range to enabled endpoints, in steps of the sweep. A null endpoint or
 * status selects all. Throws 404 for an unknown endpoint, and 409 if none is enabled or an earlier redelivery has not
 * ended.
 */
export async function redeliverRange(
  db: Database,
  tenantId: string,
  { fromMs, untilMs, endpointId, status }: RedeliveryRange,
  nowMs: number,
): Promise<RangeRedelivery> {
  const isEnabled = isEndpointEnabled(tenantId, endpointId ?? undefined)
  const candidates = db
    .select({ status: deliveries.status, endpointId: deliveries.endpointId })
    .from(deliveries)
    .where(and(isInRange({ tenantId, status, until: untilMs }), gte(deliveries.createdAt, fromMs)))
    .limit(maxCounted + 1)
  const found = sql<number | null>`(
    SELECT iif(count(*) > ${maxCounted}, NULL,
      count(*) FILTER (WHERE status IN ('delivered', 'permanently_failed')
        AND status = coalesce(${status}, status) AND endpoint_id = coalesce(${endpointId}, endpoint_id)))
    FROM ${candidates})`
  const row = {
    tenantId,
    endpointId,
    status,
    fromAt: fromMs,
    until: untilMs,
    found,
    redelivered: 0,
    positionAt: fromMs,
    positionId: '',
    createdAt: nowMs,
    nextAt: nowMs,
  }
  const { tenantId: _, ...restarted } = row
  const [started] = await db
    .insert(rangeRedeliveries)
    .select(selectRow(db, rangeRedeliveries, row, isEnabled))
    .onConflictDoUpdate({
      target: rangeRedeliveries.tenantId,
      set: restarted,
      setWhere: isNull(rangeRedeliveries.nextAt),
    })
    .returning()
  if (started !== undefined) return started
  const endpoints = await listEndpointRows(db, tenantId)
  const receivers = endpointId === null ? endpoints : endpoints.filter(({ id }) => id === endpointId)
  if (endpointId !== null && receivers.length === 0) throw new ApiError('endpoint_not_found')
  if (receivers.some(({ enabled }) => enabled)) throw new ApiError('redelivery_under_way')
  throw new ApiError('webhook_off')
}

/** Continues redeliveries of time ranges, longest waiting first. Returns how many deliveries it enqueued. */
export async function continueRangeRedeliveries(
  { db, queue }: { readonly db: Database; readonly queue: Queue },
  nowMs: number,
): Promise<number> {
  const due = await db
    .select()
    .from(rangeRedeliveries)
    .where(and(isNotNull(rangeRedeliveries.nextAt), lte(rangeRedeliveries.nextAt, nowMs)))
    .orderBy(asc(rangeRedeliveries.nextAt))
    .limit(maxSteps)
  let count = 0
  for (const redelivery of due) {
    let next: RangeRedelivery | undefined = redelivery
    for (let step = 0; step < Math.floor(maxSteps / due.length); step++) {
      if (next === undefined || next.nextAt === null) break
      const result = await redeliverStep(db, queue, next, nowMs)
      count += result.count
      next = result.next
    }
  }
  return count
}

async function redeliverStep(db: Database, queue: Queue, redelivery: RangeRedelivery, nowMs: number) {
  const { tenantId, endpointId, status, positionAt, positionId } = redelivery
  const candidates = await db
    .select({ id: deliveries.id, at: deliveries.createdAt })
    .from(deliveries)
    .where(
      and(isInRange(redelivery), newerThan(deliveries.createdAt, deliveries.id, { at: positionAt, id: positionId })),
    )
    .orderBy(asc(deliveries.createdAt), asc(deliveries.id))
    .limit(stepSize)
  const last = candidates.at(-1)
  // Another sweep may have made this step meanwhile.
  const isHere = and(
    eq(rangeRedeliveries.tenantId, tenantId),
    eq(rangeRedeliveries.positionAt, positionAt),
    eq(rangeRedeliveries.positionId, positionId),
    isNotNull(rangeRedeliveries.nextAt),
  )
  const isRedelivered = and(
    inValues(
      deliveries.id,
      candidates.map(({ id }) => id),
    ),
    isNull(deliveries.dueAt),
    status === null ? undefined : eq(deliveries.status, status),
    endpointId === null ? undefined : eq(deliveries.endpointId, endpointId),
    hasRow(rangeRedeliveries, isHere),
  )
  const { rows, next } = await runBatch(db, {
    rows: redeliverDeliveries(db, tenantId, isRedelivered, nowMs),
    next: db
      .update(rangeRedeliveries)
      .set({
        positionAt: last?.at ?? redelivery.until,
        positionId: last?.id ?? '',
        redelivered: sql`${rangeRedeliveries.redelivered} + changes()`,
        nextAt: candidates.length < stepSize ? null : nowMs,
      })
      .where(isHere)
      .returning(),
  })
  await enqueueAll(queue, rows.map(nextMessage))
  return { count: rows.length, next: next[0] }
}

/**
 * Makes one more attempt of a garment's delivery now, whatever its status. Throws 404 if there is no delivery, and 409
 * if the endpoint is disabled or an attempt is being made.
 */
export async function redeliver(
  db: Database,
  queue: Queue,
  tenantId: string,
  garmentUuid: string,
  nowMs: number,
  kind: DeliveryKind = 'tagging',
  endpointId = configEndpointId,
): Promise<DeliveryRow> {
  const which = isToEndpoint(tenantId, garmentUuid, kind, endpointId)
  const [row] = await redeliverDeliveries(db, tenantId, which, nowMs)
  if (row === undefined) throw await refusal(db, await getDelivery(db, tenantId, garmentUuid, kind, endpointId))
  await enqueue(queue, nextMessage(row))
  return row
}

async function refusal(db: Database, { tenantId, endpointId }: DeliveryRow): Promise<ApiError> {
  const config = await findEndpointRow(db, tenantId, endpointId)
  return config?.enabled ? new ApiError('attempt_under_way') : new ApiError('webhook_off')
}
