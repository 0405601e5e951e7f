import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, not, or, sql, type SQL } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import {
  configEndpointId,
  dailyCounts,
  deliveries,
  deliveryAttempts,
  garments,
  rangeRedeliveries,
  webhookEndpoints,
} from '../platform/db/schema.ts'
import { switchedOff } from './delivery-error.ts'
import {
  type ClaimedDelivery,
  type DeliveryMessage,
  type DeliveryRow,
  type DeliveryStatus,
  type EndpointRow,
  endpointsFor,
  isAboutGarment,
  isClaimedBy,
  isDelivery,
  isEndpoint,
  isEndpointEnabled,
  isToAnyEndpoint,
  isUnleased,
  needsGarment,
  nextMessage,
  randomUuid,
  unclaimed,
} from './delivery.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { queueGraceMs } from '../platform/queue/enqueue.ts'
import { dayOf, hourMs, minuteMs } from '../time.ts'
import { type EventName, events, isOfUuidOnly } from './catalogue.ts'

type Kind = typeof dailyCounts.$inferSelect.kind

/**
 * Returns the statement that adds `howMany`, a scalar query, to the day's count; it writes nothing for 0. It stands in
 * the batch that ends the rows, before the statement that changes their state.
 */
export const countEnded = (db: Database, tenantId: string, kind: Kind, howMany: SQL, nowMs: number) =>
  db
    .insert(dailyCounts)
    .select(
      sql`SELECT ${tenantId}, ${dayOf(nowMs)}, ${kind}, number FROM (SELECT (${howMany}) AS number) WHERE number > 0`,
    )
    .onConflictDoUpdate({
      target: [dailyCounts.tenantId, dailyCounts.day, dailyCounts.kind],
      set: { count: sql`${dailyCounts.count} + excluded.count` },
    })

/**
 * The state machine of a delivery: every statement that writes a row of `deliveries` is in this file or, for account
 * events, in `account-events.ts`.
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

/** Bounds one transaction, so that a tenant with many pending deliveries does not block the database for others. */
const endStepSize = 1000

/** A delivery that had ended before a manual redelivery is not counted again. */
const isNewEnding = sql`coalesce(${deliveries.redeliveredFrom}, 'pending') = 'pending'`

/**
 * Returns the statements that end and count pending deliveries of a tenant: at most `endStepSize`, those due first. A
 * delivery that was delivered before a manual redelivery becomes delivered again. The last statement returns a row for
 * each.
 */
export function endDeliveries(db: Database, tenantId: string, which: SQL | undefined, reason: string, nowMs: number) {
  const found = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), isNotNull(deliveries.dueAt), which))
    .orderBy(asc(deliveries.dueAt))
    .limit(endStepSize)
  const ended = sql`SELECT count(*) FROM ${deliveries} WHERE ${inArray(deliveries.id, found)} AND ${isNewEnding}`
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
      .where(and(eq(deliveries.tenantId, tenantId), inArray(deliveries.id, found)))
      .returning({ id: deliveries.id }),
  ] as const
}

/**
 * Returns the statements that remove a garment's deliveries with their attempts if `when` holds, except those that
 * report its deletion. Pending ones count as permanently failed.
 */
export function removeDeliveries(
  db: Database,
  { tenantId, garmentUuid, when }: { readonly tenantId: string; readonly garmentUuid: string; readonly when: SQL },
  nowMs: number,
) {
  const areRemoved = and(isAboutGarment(tenantId, garmentUuid), needsGarment, when)
  const pending = and(areRemoved, eq(deliveries.status, 'pending'), isNewEnding)
  return [
    countEnded(db, tenantId, 'permanently_failed', sql`SELECT count(*) FROM ${deliveries} WHERE ${pending}`, nowMs),
    db.delete(deliveries).where(areRemoved),
  ] as const
}

/** Returns the statements that end a delivery whose endpoint was disabled while recorded attempt `attempt` was made. */
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

/** Steps that a request makes at once, which is enough for most tenants. */
const stepsOfRequest = 2

/**
 * Ends every pending delivery to an endpoint that was marked with `endedUntil` when it was disabled. Nothing is sent
 * from then on; the rows are ended in steps, the first two now, the others in the sweep. A running attempt ends its own
 * delivery if the endpoint is disabled.
 */
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
  const marked = { tenantId, id: endpointId, endedUntil: nowMs, endedReason: reason }
  for (let step = 0; step < stepsOfRequest; step++) if ((await endMarked(db, marked, nowMs)) < endStepSize) return
}

type Marked = Pick<EndpointRow, 'tenantId' | 'id' | 'endedUntil' | 'endedReason'>

/** Makes one step. Returns how many deliveries it ended. */
async function endMarked(db: Database, { tenantId, id, endedUntil, endedReason }: Marked, nowMs: number) {
  const which = and(eq(deliveries.endpointId, id), lte(deliveries.updatedAt, endedUntil ?? 0), isUnleased(nowMs))
  const { ended } = await runBatch(db, { ended: endDeliveries(db, tenantId, which, endedReason ?? switchedOff, nowMs) })
  return ended.length
}

/** Steps of one sweep, over all tenants. */
const maxSteps = 20

/**
 * Ends the rows of deliveries whose endpoint was disabled or deleted, then removes deleted endpoints. Oldest mark
 * first, so that a burst of new ones cannot starve the rest. Returns how many deliveries it ended.
 */
export async function continueEndings(db: Database, nowMs: number): Promise<number> {
  const marked = await db
    .select()
    .from(webhookEndpoints)
    .where(isNotNull(webhookEndpoints.endedUntil))
    .orderBy(asc(webhookEndpoints.endedUntil))
    .limit(maxSteps)
  let [count, steps] = [0, 0]
  for (const endpoint of marked)
    for (let isDone = false; !isDone && steps < maxSteps; steps++) {
      const ended = await endMarked(db, endpoint, nowMs)
      count += ended
      isDone = ended < endStepSize
      if (isDone) await unmark(db, endpoint)
    }
  return count
}

/**
 * Removes a deleted endpoint, or the mark of one that was disabled. Does nothing if the endpoint was changed since it
 * was read. The endpoint of `/webhook/config` stays, because it may have a secret and headers without a URL.
 */
async function unmark(db: Database, { tenantId, id, url, revision }: EndpointRow): Promise<void> {
  const isSame = and(isEndpoint(tenantId, id), eq(webhookEndpoints.revision, revision))
  await (id !== configEndpointId && url === null
    ? db.delete(webhookEndpoints).where(isSame)
    : db.update(webhookEndpoints).set({ endedUntil: null, endedReason: null }).where(isSame))
}

/** Longer than the longest exchange (15 s), with room for the reads before it and the writes after it. */
export const leaseMs = 30_000

/** A queue delivers a delayed message to the second, not to the millisecond. */
const earlyMs = 1000

/**
 * Returns the statement that claims a delivery for one attempt, unless the attempt was made already, is being made, is
 * paused or is not due. Repeating it with the same `claimId` is harmless. `due_at` stays: it is later than the end of
 * the lease unless the queue was slow, and then the sweep's message finds the lease.
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

/**
 * Returns the statement that makes a paused delivery due at once, so that the first sweep after the pause enqueues it.
 */
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

/** Returns the statement that releases a claimed delivery. The sweep enqueues it at `nextAttemptAt`. */
export function releaseDelivery(db: Database, claimed: ClaimedDelivery, nextAttemptAt: number) {
  return db
    .update(deliveries)
    .set({ ...unclaimed, nextAttemptAt, dueAt: nextAttemptAt })
    .where(isClaimedBy(claimed))
}

export interface Answer {
  /** Whether the status is 2xx, however the body ends. */
  readonly ok: boolean
  /** Null if no HTTP response arrived. */
  readonly status: number | null
  /** The stored form of the error; null on success. */
  readonly error: string | null
  /** The answer's first KiB as far as it arrived, without control characters. */
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

/** Returns the statements that apply an attempt's outcome to the claimed delivery and count it if it has ended. */
export function applyOutcome(db: Database, claimed: ClaimedDelivery, outcome: RecordedOutcome, nowMs: number) {
  const { attempt, startedAt, answer, status, nextAttemptAt } = outcome
  // A manual redelivery that does not change the status is not counted.
  const isNewEnding = status !== 'pending' && status !== claimed.redeliveredFrom
  const ended = sql`SELECT count(*) FROM ${deliveries} WHERE ${isClaimedBy(claimed)} AND ${isNewEnding ? 1 : 0}`
  return [
    countEnded(db, claimed.tenantId, status === 'delivered' ? 'delivered' : 'permanently_failed', ended, nowMs),
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
 * Returns the statement that makes deliveries pending for one more attempt now, instead of the retry that waits. It
 * skips deliveries whose attempt is being made and those of disabled endpoints.
 */
export function redeliverDeliveries(db: Database, tenantId: string, which: SQL | undefined, nowMs: number) {
  return db
    .update(deliveries)
    .set({
      status: 'pending',
      // Kept if this is the second request before the attempt is made.
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
  /** A condition on the garment's state. */
  readonly when: SQL
}

/**
 * Returns the statement that gives the pending deliveries of a garment's tagging new ids, because they will send
 * another event: a receiver that got the former event skips one with the same id. Their attempts follow them. It skips
 * deliveries whose attempt is being made. The sweep sends their messages again.
 */
export const renameDeliveries = (db: Database, { tenantId, garmentUuid, when }: GarmentCondition, nowMs: number) =>
  db
    .update(deliveries)
    .set({ id: randomUuid })
    .where(
      and(isToAnyEndpoint(tenantId, garmentUuid, 'tagging'), eq(deliveries.status, 'pending'), isUnleased(nowMs), when),
    )

const originOf = (db: Database, tenantId: string, garmentUuid: string) =>
  sql`${db
    .select({ origin: garments.origin })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, garmentUuid)))}`

type StartedRow = Pick<DeliveryRow, 'id' | 'endpointId'>

/**
 * Returns the statements that start a garment's delivery to each enabled endpoint that receives the event, if `when`
 * holds. A former delivery of the same kind is replaced, with its attempts. The statements can stand in the batch that
 * changes the garment, before the statement that changes its state. The last one returns the started deliveries, whose
 * messages `messagesOf` returns.
 */
export function startDeliveries(
  db: Database,
  { event, tenantId, garmentUuid, when }: GarmentCondition & { readonly event: EventName },
  nowMs: number,
) {
  const { kind } = events[event]
  const receivers = endpointsFor(db, tenantId, event)
  // The garment may be gone when it is sent.
  const origin = isOfUuidOnly(event) ? originOf(db, tenantId, garmentUuid) : null
  const isFormer = and(isToAnyEndpoint(tenantId, garmentUuid, kind), inArray(deliveries.endpointId, receivers), when)
  return {
    statements: [
      db.delete(deliveries).where(isFormer),
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
 * Returns the statement that takes overdue deliveries for the sweep: at most `share` per receiver, longest overdue
 * first. Each becomes due again after half of its overdue time, between a minute and an hour. So a long backlog is not
 * enqueued again every minute. `receivers` are JSON arrays of tenant and endpoint.
 */
export function postponeDeliveries(db: Database, receivers: readonly string[], share: number, nowMs: number) {
  const overdueMs = sql`(${nowMs} - coalesce(${deliveries.nextAttemptAt}, ${deliveries.createdAt}))`
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
    .set({ dueAt: sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, ${overdueMs} / 2))` })
    .where(sql`${deliveries.id} IN ${due}`)
    .returning({
      tenantId: deliveries.tenantId,
      endpointId: deliveries.endpointId,
      id: deliveries.id,
      attemptCount: deliveries.attemptCount,
    })
}

/** Tenants, each with the time before which its rows have expired. */
type Expiring = readonly { readonly id: string; readonly beforeMs: number }[]

/**
 * Returns the statement that removes at most `limit` ended deliveries that have expired, with their attempts. It
 * returns a row for each. Tenant by tenant, so that the index finds the old ones; CROSS JOIN keeps that order.
 */
export const expireDeliveries = (
  tenants: Expiring,
  index: 'deliveries_by_time' | 'deliveries_without_garment',
  limit: number,
) => sql<Pick<DeliveryRow, 'id'>>`
  DELETE FROM ${deliveries} WHERE id IN (
    SELECT expired.id FROM json_each(${JSON.stringify(tenants)}) AS tenant
    CROSS JOIN ${deliveries} AS expired INDEXED BY ${sql.identifier(index)}
    WHERE expired.tenant_id = tenant.value ->> 'id' AND expired.created_at < tenant.value ->> 'beforeMs'
      AND expired.due_at IS NULL ${index === 'deliveries_by_time' ? sql`` : sql`AND expired.kind IN ('deletion', 'account')`}
    LIMIT ${limit}
  ) RETURNING id`

/** Returns the statement that erases at most `limit` answers that have expired. It returns a row for each. */
export const eraseAnswers = (tenants: Expiring, limit: number) => sql<{ readonly attempt: number }>`
  UPDATE ${deliveryAttempts} SET response_body = NULL WHERE rowid IN (
    SELECT old.rowid FROM json_each(${JSON.stringify(tenants)}) AS tenant
    CROSS JOIN ${deliveryAttempts} AS old INDEXED BY delivery_attempts_with_answer
    WHERE old.tenant_id = tenant.value ->> 'id' AND old.at < tenant.value ->> 'beforeMs' AND old.response_body IS NOT NULL
    LIMIT ${limit}
  ) RETURNING attempt`

/** Answers kept of a tenant: about 20 MB. */
export const maxAnswers = 20_000

/** Returns the statement that erases a tenant's oldest answers beyond `kept`. */
export const trimAnswers = (tenantId: string, kept: number) => sql`
  UPDATE ${deliveryAttempts} SET response_body = NULL
  WHERE tenant_id = ${tenantId} AND response_body IS NOT NULL AND at < (
    SELECT at FROM ${deliveryAttempts} INDEXED BY delivery_attempts_with_answer
    WHERE tenant_id = ${tenantId} AND response_body IS NOT NULL ORDER BY at DESC LIMIT 1 OFFSET ${kept - 1}
  )`

/**
 * Returns the statement that removes at most `limit` deliveries of a deleted tenant in any state, with their attempts.
 * It returns a row for each.
 */
export function purgeDeliveries(db: Database, tenantId: string, limit: number) {
  const isTenants = eq(deliveries.tenantId, tenantId)
  const found = db.select({ id: deliveries.id }).from(deliveries).where(isTenants).limit(limit)
  return db
    .delete(deliveries)
    .where(and(isTenants, inArray(deliveries.id, found)))
    .returning({ id: deliveries.id })
}
