import { and, eq, gt, inArray, lte, not, or, sql, type SQL } from 'drizzle-orm'
import { addRequired, fixedRowBytes } from '../platform/db/count-rows.ts'
import { addToDailyCount } from '../platform/db/daily-counts.ts'
import type { Database } from '../platform/db/database.ts'
import { deliveries, garments } from '../platform/db/schema.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { queueGraceMs } from '../platform/queue/enqueue.ts'
import { hourMs, minuteMs } from '../time.ts'
import { type EventName, events, isOfUuidOnly } from './catalogue.ts'
import {
  type ClaimedDelivery,
  type DeliveryMessage,
  type DeliveryRow,
  type DeliveryStatus,
  endpointsFor,
  isClaimedBy,
  isDelivery,
  isEndpointEnabled,
  isToAnyEndpoint,
  isUnleased,
  nextMessage,
  randomUuid,
  unclaimed,
} from './delivery.ts'
import { subtractDeliveries } from './remove-deliveries.ts'

/**
 * The state machine of a delivery. All statements that write its rows are in this file, `account-events.ts`,
 * `end-deliveries.ts` and `remove-deliveries.ts`.
 *
 *   start -> pending -> claim -> record -> pending (retry), delivered or permanently_failed
 *                             -> release -> pending (not an attempt)
 *            pending -> end -> permanently_failed (or delivered, if it was delivered before a manual redelivery)
 *   any state -> redeliver -> pending
 *            pending -> rename -> pending (under a new id)
 *            pending -> postpone -> pending (enqueued by the sweep)
 *   any state -> remove (with its garment), purge (with its tenant); ended -> expire
 *
 * A claim is a lease with a random id. A run writes only while the row still has the id of its claim.
 */

/** The lease is longer than the longest exchange (15 s), with room for the reads and writes around it. */
export const leaseMs = 30_000

/** A queue may deliver a delayed message up to a second early. */
const earlyMs = 1000

/**
 * Claims a delivery for one attempt, unless it is being attempted, was attempted, is paused or is not due. Safe to
 * repeat with the same `claimId`. `due_at` is usually later than the end of the lease, so it stays.
 */
export function claimDelivery(db: Database, message: DeliveryMessage, claimId: string, nowMs: number) {
  const { tenantId, deliveryId, attempt } = message
  return db
    .update(deliveries)
    .set({ claimId, leaseUntil: nowMs + leaseMs, claims: sql`${deliveries.claims} + 1` })
    .where(
      and(
        isDelivery({ tenantId, id: deliveryId }),
        eq(deliveries.status, 'pending'),
        eq(deliveries.attemptCount, attempt - 1),
        lte(deliveries.nextAttemptAt, nowMs + earlyMs),
        not(isPaused('deliveries', tenantId)),
        or(isUnleased(nowMs), eq(deliveries.claimId, claimId)),
      ),
    )
    .returning()
}

/** Makes a paused delivery due, so that the first sweep after the pause enqueues it. */
export const makePausedDue = (db: Database, { tenantId, deliveryId, attempt }: DeliveryMessage, nowMs: number) =>
  db
    .update(deliveries)
    .set({ dueAt: nowMs })
    .where(
      and(
        isDelivery({ tenantId, id: deliveryId }),
        eq(deliveries.attemptCount, attempt - 1),
        lte(deliveries.nextAttemptAt, nowMs + earlyMs),
        gt(deliveries.dueAt, nowMs),
        isPaused('deliveries', tenantId),
      ),
    )

export function releaseDelivery(db: Database, claimed: ClaimedDelivery, nextAttemptAt: number) {
  return db
    .update(deliveries)
    .set({ ...unclaimed, nextAttemptAt, dueAt: nextAttemptAt })
    .where(isClaimedBy(claimed))
}

export interface Answer {
  /** Whether the status is 2xx, however the body ends. */
  readonly ok: boolean
  readonly status: number | null
  /** The stored form of the error; null on success. */
  readonly error: string | null
  /** The first KiB of the response body, without control characters. */
  readonly body: string
  readonly retryAfter: string | null
  readonly durationMs: number
}

export interface RecordedOutcome {
  readonly attempt: number
  readonly startedAt: number
  readonly answer: Answer
  readonly status: DeliveryStatus
  readonly nextAttemptAt: number | null
}

export function applyOutcome(db: Database, claimed: ClaimedDelivery, outcome: RecordedOutcome, nowMs: number) {
  const { attempt, startedAt, answer, status, nextAttemptAt } = outcome
  // A manual redelivery that does not change the status is not counted.
  const isCounted = status !== 'pending' && status !== claimed.redeliveredFrom
  return [
    ...(isCounted
      ? [addToDailyCount(db, claimed.tenantId, status, db.$count(deliveries, isClaimedBy(claimed)), nowMs)]
      : []),
    db
      .update(deliveries)
      .set({
        ...unclaimed,
        status,
        attemptCount: attempt,
        lastAttemptAt: startedAt,
        nextAttemptAt,
        dueAt: nextAttemptAt === null ? null : nextAttemptAt + queueGraceMs,
        lastError: answer.error,
        responseStatus: answer.status,
        redeliveredFrom: null,
        updatedAt: nowMs,
      })
      .where(isClaimedBy(claimed)),
  ] as const
}

/**
 * Makes deliveries pending for one more attempt now. Skips disabled endpoints, and deliveries with a running attempt.
 */
export function redeliverDeliveries(db: Database, tenantId: string, which: SQL | undefined, nowMs: number) {
  return db
    .update(deliveries)
    .set({
      status: 'pending',
      // A second manual redelivery before the attempt keeps the status from before the first.
      redeliveredFrom: sql`coalesce(${deliveries.redeliveredFrom}, ${deliveries.status})`,
      nextAttemptAt: nowMs,
      dueAt: nowMs + queueGraceMs,
      claims: 0,
      updatedAt: nowMs,
    })
    .where(
      and(
        eq(deliveries.tenantId, tenantId),
        which,
        isUnleased(nowMs),
        isEndpointEnabled(tenantId, deliveries.endpointId),
      ),
    )
    .returning()
}

interface GarmentCondition {
  readonly tenantId: string
  readonly garmentUuid: string
  readonly when: SQL
}

/**
 * Gives a garment's pending tagging deliveries new ids, because they will send another event and receivers skip known
 * ids. Their attempts follow them. The sweep sends the messages again.
 */
export const renameDeliveries = (db: Database, { tenantId, garmentUuid, when }: GarmentCondition, nowMs: number) =>
  db
    .update(deliveries)
    .set({ id: randomUuid })
    .where(
      and(isToAnyEndpoint(tenantId, garmentUuid, 'tagging'), eq(deliveries.status, 'pending'), isUnleased(nowMs), when),
    )

const originQuery = (db: Database, tenantId: string, garmentUuid: string) =>
  db
    .select({ origin: garments.origin })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, garmentUuid)))

type StartedRow = Pick<DeliveryRow, 'id' | 'endpointId'>

/**
 * Returns the statements that start a garment's delivery to each enabled endpoint that receives the event, if `when`
 * holds. They replace a former delivery of the same kind. In a batch they come before the garment's change. The last
 * returns the started deliveries, for `messagesOf`.
 */
export function startDeliveries(
  db: Database,
  { event, tenantId, garmentUuid, when }: GarmentCondition & { readonly event: EventName },
  nowMs: number,
) {
  const { kind } = events[event]
  const receivers = endpointsFor(db, tenantId, event)
  // A deleted garment has no row any more when its event is sent.
  const origin = isOfUuidOnly(event) ? originQuery(db, tenantId, garmentUuid) : null
  const isFormer = and(isToAnyEndpoint(tenantId, garmentUuid, kind), inArray(deliveries.endpointId, receivers), when)
  return {
    statements: [
      subtractDeliveries(isFormer),
      db.delete(deliveries).where(isFormer),
      // The bytes of tagging deliveries count with their garment.
      ...(kind === 'tagging'
        ? []
        : [addRequired(tenantId, sql`(SELECT count(*) FROM ${receivers}) * ${fixedRowBytes.deliveries}`, when)]),
      sql<StartedRow>`
        INSERT INTO ${deliveries}
          (id, tenant_id, garment_uuid, kind, endpoint_id, origin, status, next_attempt_at, due_at, created_at, updated_at)
        SELECT ${randomUuid}, ${tenantId}, ${garmentUuid}, ${kind}, receiver.id, ${origin}, 'pending',
          ${nowMs}, ${nowMs + queueGraceMs}, ${nowMs}, ${nowMs}
        FROM ${receivers} AS receiver WHERE ${when}
        RETURNING id, endpoint_id AS endpointId`,
    ],
    messagesOf: (rows: readonly StartedRow[] = []) =>
      rows.map((row) => nextMessage({ ...row, tenantId, attemptCount: 0 })),
  } as const
}

const minPauseMs = minuteMs
const maxPauseMs = hourMs

/**
 * Takes overdue deliveries for the sweep: at most `share` per receiver, longest overdue first. Each becomes due again
 * after half of its overdue time, so that a backlog is not enqueued every minute. `receivers` are JSON arrays of tenant
 * and endpoint.
 */
export function postponeDeliveries(db: Database, receivers: readonly string[], share: number, nowMs: number) {
  // The query builder has no JSON tables and no limit for each receiver.
  const due = sql`(
    SELECT taken.id FROM json_each(${`[${receivers.join()}]`}) AS receiver CROSS JOIN ${deliveries} AS taken
    WHERE taken.id IN (
      SELECT id FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = receiver.value ->> 0 AND overdue.endpoint_id = receiver.value ->> 1
        AND overdue.due_at <= ${nowMs} ORDER BY overdue.due_at LIMIT ${share}
    )
  )`
  return db
    .update(deliveries)
    .set({
      dueAt: sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs},
        (${nowMs} - coalesce(${deliveries.nextAttemptAt}, ${deliveries.createdAt})) / 2))`,
    })
    .where(inArray(deliveries.id, due))
    .returning({
      tenantId: deliveries.tenantId,
      endpointId: deliveries.endpointId,
      id: deliveries.id,
      attemptCount: deliveries.attemptCount,
    })
}
