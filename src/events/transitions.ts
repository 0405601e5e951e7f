import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  notLike,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Database, newId, runBatch } from '../platform/db/database.ts'
import {
  dailyCounts,
  deliveries,
  deliveryAttempts,
  firstEndpoint,
  garments,
  rangeRedeliveries,
  type waitingEvents,
  webhookEndpoints,
} from '../platform/db/schema.ts'
import { storeDeliveryError, switchedOff } from './delivery-error.ts'
import {
  areAttemptsOf,
  type ClaimedDelivery,
  type DeliveryMessage,
  type DeliveryRow,
  type DeliveryStatus,
  enabledEndpoints,
  firstAttempt,
  isClaimedBy,
  isDelivery,
  isEndpoint,
  isEndpointEnabled,
  isKeptInRow,
  isToAnyEndpoint,
  isUnleased,
  matchesMessage,
  maxEndpoints,
  nextMessage,
  unclaimed,
} from './delivery.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { queueGraceMs } from '../platform/queue/enqueue.ts'
import { dayOf, hourMs, minuteMs } from '../time.ts'
import { type EventName, events, isOfUuidOnly } from './catalogue.ts'

type Kind = typeof dailyCounts.$inferSelect.kind

/** The statement that adds what a query selects, of `tenant_id`, `day`, `kind` and a number, to the counts of days. */
export const addToDays = (db: Database, selected: SQL) =>
  db
    .insert(dailyCounts)
    .select(selected)
    .onConflictDoUpdate({
      target: [dailyCounts.tenantId, dailyCounts.day, dailyCounts.kind],
      set: { count: sql`${dailyCounts.count} + excluded.count` },
    })

/**
 * The statement that adds `howMany`, a scalar query, to the count of the day; nothing where it is 0. It stands in the
 * batch that ends the rows, before the statement that changes their state.
 */
export const countEnded = (db: Database, tenantId: string, kind: Kind, howMany: SQL, nowMs: number) =>
  addToDays(
    db,
    sql`SELECT ${tenantId}, ${dayOf(nowMs)}, ${kind}, number FROM (SELECT (${howMany}) AS number) WHERE number > 0`,
  )

/**
 * The state machine of a delivery: every statement that writes a row of `deliveries` is in this file.
 *
 *   start -> pending -> claim -> record -> pending (retry), delivered or permanently_failed
 *                             -> release -> pending (not an attempt)
 *            pending -> end -> permanently_failed (or delivered, if it had been before a manual redelivery)
 *   any state -> redeliver -> pending
 *            pending -> rename -> pending (under a new id)
 *            pending -> postpone -> pending (enqueued by the sweep)
 *   any state -> remove (with its garment), purge (with its tenant); ended -> expire
 *
 * A claim is a lease with a fresh id. Whoever holds it writes only while the row still carries that id. The start of a
 * delivery that goes straight to its dispatcher is its first claim, under the delivery's own id, which saves a row.
 */

export const endpointDeleted = storeDeliveryError('endpoint_deleted')

/** Bounds one transaction, so that a tenant with many pending deliveries does not block the database for others. */
const endStepSize = 1000

/** Ending counts, unless the delivery had ended before a manual redelivery. */
const isNewEnding = sql`coalesce(${deliveries.redeliveredFrom}, 'pending') = 'pending'`

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
    isNull(deliveries.body),
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
    not(isEndpointEnabled(tenantId, endpoint)),
  )
  return endDeliveries(db, tenantId, isWaiting, switchedOff, nowMs)
}

/** Steps that a request makes at once, which is enough for most tenants. */
const stepsOfRequest = 2

/**
 * Ends every pending delivery to an endpoint that was marked with `endedUntil` when it was disabled. Nothing is sent
 * from then on; the rows follow in steps, the first now, the others in the sweep. An attempt in progress ends its own
 * delivery if the endpoint is disabled.
 */
export async function endPendingDeliveries(
  db: Database,
  { tenantId, endpoint }: Pick<DeliveryRow, 'tenantId' | 'endpoint'>,
  reason: string,
  nowMs: number,
): Promise<void> {
  const isOfEndpoint = or(eq(rangeRedeliveries.endpoint, endpoint), not(isEndpointEnabled(tenantId)))
  await db.delete(rangeRedeliveries).where(and(eq(rangeRedeliveries.tenantId, tenantId), isOfEndpoint))
  const marked = { tenantId, endpoint, endedUntil: nowMs, endedReason: reason }
  for (let step = 0; step < stepsOfRequest; step++) if ((await endMarked(db, marked, nowMs)) < endStepSize) return
}

type Marked = Pick<typeof webhookEndpoints.$inferSelect, 'tenantId' | 'endpoint' | 'endedReason'> & {
  readonly endedUntil: number
}

/** One step. Returns how many were ended. */
async function endMarked(db: Database, { tenantId, endpoint, endedUntil, endedReason }: Marked, nowMs: number) {
  const which = and(eq(deliveries.endpoint, endpoint), lte(deliveries.updatedAt, endedUntil), isUnleased(nowMs))
  const { ended } = await runBatch(db, { ended: endDeliveries(db, tenantId, which, endedReason, nowMs) })
  return ended.length
}

/** Steps of one sweep, over all tenants. */
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
    const { endedUntil } = receiver
    if (endedUntil === null) continue
    for (let isDone = false; !isDone && steps < maxSteps; steps++) {
      const ended = await endMarked(db, { ...receiver, endedUntil }, nowMs)
      count += ended
      isDone = ended < endStepSize
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

/** Longer than the longest exchange (15 s), with room for the reads before it and the writes after it. */
export const leaseMs = 30_000

/** What is left of a lease when an attempt begins: an exchange, and some reads and writes. */
const minLeaseMs = 20_000

/** A queue delivers a delayed message to the second, not to the millisecond. */
const earlyMs = 1000

/**
 * Claims a delivery for one attempt, unless the attempt was made already, is being made or is not due. Repeating it
 * with the same `claimId` is harmless. `due_at` stays: it is later than the end of the lease unless the queue was slow,
 * and then the sweep's message finds the lease.
 */
export function claimDelivery(db: Database, message: DeliveryMessage, claimId: string, nowMs: number) {
  return db
    .update(deliveries)
    .set({ claimId, leaseUntil: nowMs + leaseMs, claims: sql`${deliveries.claims} + 1` })
    .where(
      and(
        isNext(message),
        lte(deliveries.nextAttemptAt, nowMs + earlyMs),
        // A claim of the start that has become too old is renewed.
        or(isUnleased(nowMs), eq(deliveries.claimId, claimId), message.isClaimed ? isClaimedByStart : undefined),
      ),
    )
    .returning()
}

/** That the attempt of a message is still to be made, and not paused. */
const isNext = (message: DeliveryMessage) =>
  and(
    matchesMessage(message),
    eq(deliveries.status, 'pending'),
    eq(deliveries.attemptCount, message.attempt - 1),
    not(isPaused('deliveries', message.tenantId)),
  )

const isClaimedByStart = eq(deliveries.claimId, deliveries.id)

/** The delivery of a message that passes on the claim of its start, while that lasts. */
export const findClaimed = (db: Database, message: DeliveryMessage, nowMs: number) =>
  db
    .select()
    .from(deliveries)
    .where(and(isNext(message), isClaimedByStart, gte(deliveries.leaseUntil, nowMs + minLeaseMs)))

/** Releases a claimed delivery for an attempt at `nextAttemptAt`, for which the sweep enqueues it. */
export function releaseDelivery(db: Database, claimed: ClaimedDelivery, nextAttemptAt: number) {
  return db
    .update(deliveries)
    .set({ ...unclaimed, nextAttemptAt, dueAt: nextAttemptAt })
    .where(isClaimedBy(claimed))
}

export interface Answer {
  /** Whether the status is 2xx, however the body ends. */
  readonly ok: boolean
  /** 0 if no HTTP response arrived. */
  readonly status: number
  /** As it is stored, for `deliveryError`; empty on success. */
  readonly error: string
  /** What arrived of the answer's first KiB, without control characters. */
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

/** Applies the outcome of an attempt to the claimed delivery, and counts it if it has ended. */
export function applyOutcome(db: Database, claimed: ClaimedDelivery, outcome: RecordedOutcome, nowMs: number) {
  const { attempt, startedAt, answer, status, nextAttemptAt } = outcome
  // A manual redelivery that leaves a delivery as it was is no new ending.
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
        ...(isKeptInRow(claimed, attempt, answer.ok) && {
          firstAttempt: [startedAt, answer.durationMs, answer.status, answer.body] as const,
        }),
        updatedAt: nowMs,
      })
      .where(isClaimedBy(claimed)),
  ] as const
}

/**
 * Makes deliveries pending for one more attempt now, in place of the retry that waits, unless one is being made.
 * `which` selects deliveries of this tenant only.
 */
export function redeliverDeliveries(db: Database, tenantId: string, which: SQL | undefined, nowMs: number) {
  return db
    .update(deliveries)
    .set({
      status: 'pending',
      // If this is the second request before the attempt, the status before the first one counts.
      redeliveredFrom: sql`coalesce(${deliveries.redeliveredFrom}, ${deliveries.status})`,
      nextAttemptAt: nowMs,
      dueAt: nowMs + queueGraceMs,
      claims: 0,
      updatedAt: nowMs,
    })
    .where(and(which, isUnleased(nowMs), isEndpointEnabled(tenantId, deliveries.endpoint)))
    .returning()
}

/** The part of an id that is replaced. The rest keeps the ids of several deliveries apart. */
const renamedLength = 24

/**
 * Gives the pending deliveries of a garment's tagging new ids, because they will send another event: a receiver that
 * has had the former one skips what has the same id. Their attempts go with them. Leaves those whose attempt is being
 * made. The sweep sends their messages again.
 */
export function renameDeliveries(
  db: Database,
  { tenantId, garmentUuid, when }: { readonly tenantId: string; readonly garmentUuid: string; readonly when: SQL },
  nowMs: number,
) {
  const start = newId().slice(0, renamedLength)
  const renamed = (id: SQLWrapper) => sql`${start} || substr(${id}, ${renamedLength + 1})`
  const isPending = and(
    isToAnyEndpoint(tenantId, garmentUuid, 'tagging'),
    eq(deliveries.status, 'pending'),
    isUnleased(nowMs),
    when,
  )
  return [
    db
      .update(deliveryAttempts)
      .set({ deliveryId: renamed(deliveryAttempts.deliveryId) })
      .where(areAttemptsOf(db, tenantId, isPending)),
    db
      .update(deliveries)
      .set({ id: renamed(deliveries.id) })
      .where(isPending),
  ] as const
}

interface DeliveredEvent {
  readonly event: EventName
  readonly tenantId: string
  readonly garmentUuid: string
  /** On the garment's state. */
  readonly when: SQL
  /** Whether the first attempts are claimed, because each message goes straight to a dispatcher, once. */
  readonly isClaimed?: boolean
}

const originOf = (db: Database, tenantId: string, garmentUuid: string) =>
  sql`${db
    .select({ origin: garments.origin })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, garmentUuid)))}`

/** Every column that a delivery does not keep when it starts over; those that are not inserted get their defaults. */
const renewed = sql.join(
  Object.entries(getTableColumns(deliveries))
    .filter(([key]) => !['number', 'tenantId', 'garmentUuid', 'deliveryKey', 'endpoint'].includes(key))
    .map(([, { name }]) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`),
  sql`, `,
)

/**
 * The statements that give a garment a delivery for each enabled endpoint that asks for the event, or start the
 * delivery over under a new id and without its former attempts, if `when` holds. They can stand in the batch that ends
 * the garment, before the statement that changes its state. The last one returns the deliveries that were started;
 * `messagesOf` are to be enqueued.
 */
export function startDeliveries(
  db: Database,
  { event, tenantId, garmentUuid, when, isClaimed = false }: DeliveredEvent,
  nowMs: number,
) {
  const { key: kind } = events[event]
  const wanting = enabledEndpoints(db, tenantId, sql`instr(${webhookEndpoints.events}, ${`"${event}"`})`)
  const ids = JSON.stringify(Array.from({ length: maxEndpoints }, newId))
  // Sent when the garment may be gone.
  const origin = isOfUuidOnly(event) ? originOf(db, tenantId, garmentUuid) : null
  const claim = isClaimed ? sql`receiver.id, ${nowMs + leaseMs}, 1` : sql`NULL, NULL, 0`
  const started = sql<{ readonly id: string; readonly endpoint: string }>`
    INSERT INTO ${deliveries}
      (id, tenant_id, garment_uuid, delivery_key, endpoint, origin, status, next_attempt_at, due_at, created_at, updated_at,
        claim_id, lease_until, claims)
    SELECT receiver.id, ${tenantId}, ${garmentUuid},
      iif(receiver.endpoint = ${firstEndpoint}, ${kind}, ${`${kind} `} || receiver.endpoint), receiver.endpoint, ${origin},
      'pending', ${nowMs}, ${nowMs + queueGraceMs}, ${nowMs}, ${nowMs}, ${claim}
    FROM (SELECT ${ids} ->> (row_number() OVER (ORDER BY endpoint) - 1) AS id, endpoint FROM ${wanting}) AS receiver
    WHERE ${when}
    ON CONFLICT (tenant_id, garment_uuid, delivery_key) DO UPDATE SET ${renewed}
    RETURNING id, endpoint`
  const isFormer = and(isToAnyEndpoint(tenantId, garmentUuid, kind), inArray(deliveries.endpoint, wanting), when)
  return {
    statements: [db.delete(deliveryAttempts).where(areAttemptsOf(db, tenantId, isFormer)), started],
    /** The messages for the rows that the last statement returned. */
    messagesOf: (rows: readonly { readonly id: string; readonly endpoint: string }[] = []) =>
      rows.map((row) => ({
        ...nextMessage({ ...row, tenantId, garmentUuid, attemptCount: 0 }),
        ...(isClaimed && { isClaimed }),
      })),
  } as const
}

/**
 * The statement that gives each event of an account a delivery to each enabled endpoint that asks for it, with the
 * event's id in place of a garment's uuid: it is delivered once to each, however often this is repeated. The next sweep
 * enqueues them.
 */
export function deliverEvents(events: readonly (typeof waitingEvents.$inferSelect)[], nowMs: number) {
  // One parameter for all of them, because a statement has at most 100.
  const values = events.map((event) => ({ ...event, deliveries: Array.from({ length: maxEndpoints }, newId) }))
  return sql`
    INSERT INTO ${deliveries}
      (id, tenant_id, garment_uuid, delivery_key, endpoint, body, status, next_attempt_at, due_at, created_at, updated_at)
    SELECT
      happened.value -> 'deliveries' ->> (row_number() OVER (PARTITION BY happened.key ORDER BY receiver.endpoint) - 1),
      receiver.tenant_id, happened.value ->> 'id', 'account ' || receiver.endpoint, receiver.endpoint,
      happened.value ->> 'body', 'pending', ${nowMs}, ${nowMs}, ${nowMs}, ${nowMs}
    FROM json_each(${JSON.stringify(values)}) AS happened
    JOIN ${webhookEndpoints} AS receiver ON receiver.tenant_id = happened.value ->> 'tenantId'
    WHERE receiver.enabled AND receiver.endpoint <> ${firstEndpoint}
      AND instr(receiver.events, '"' || (happened.value ->> 'body' ->> 'event') || '"')
    ON CONFLICT DO NOTHING`
}

const minPauseMs = minuteMs
const maxPauseMs = hourMs

/**
 * Takes overdue deliveries for the sweep, of each receiver the `share` that is overdue longest. Each is next due after
 * half the time it is overdue, between a minute and an hour, so that a long backlog is not enqueued over and over.
 */
export function postponeDeliveries(db: Database, receivers: readonly string[], share: number, nowMs: number) {
  const overdueMs = sql`(${nowMs} - coalesce(${deliveries.nextAttemptAt}, ${deliveries.createdAt}))`
  // The query builder has no JSON tables and no limit for each receiver.
  const due = sql`(
    SELECT taken.number FROM json_each(${`[${receivers.join()}]`}) AS receiver CROSS JOIN ${deliveries} AS taken
    WHERE taken.number IN (
      SELECT number FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = receiver.value ->> 0 AND overdue.endpoint = receiver.value ->> 1
        AND overdue.due_at <= ${nowMs} ORDER BY overdue.due_at LIMIT ${share}
    )
  )`
  return db
    .update(deliveries)
    .set({ dueAt: sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, ${overdueMs} / 2))` })
    .where(sql`${deliveries.number} IN ${due}`)
    .returning({
      tenantId: deliveries.tenantId,
      garmentUuid: deliveries.garmentUuid,
      endpoint: deliveries.endpoint,
      id: deliveries.id,
      attemptCount: deliveries.attemptCount,
    })
}

/**
 * Removes at most `limit` ended deliveries of tenants that are older than `beforeMs` of each, with their attempts.
 * Returns a row for each.
 */
export function removeExpired(
  db: Database,
  tenants: readonly { readonly id: string; readonly beforeMs: number }[],
  limit: number,
) {
  // Tenant by tenant, so that the index by status finds the old ones. CROSS JOIN keeps SQLite from another order.
  const expired = (column: SQL) => sql`(
    SELECT ${column} FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${deliveries} AS expired INDEXED BY deliveries_by_status
    WHERE expired.tenant_id = tenant.value ->> 'id' AND expired.due_at IS NULL AND expired.status IN ('delivered', 'permanently_failed')
      AND expired.created_at < tenant.value ->> 'beforeMs'
    LIMIT ${limit}
  )`
  return [
    db.delete(deliveryAttempts).where(sql`(tenant_id, delivery_id) IN ${expired(sql`expired.tenant_id, expired.id`)}`),
    db
      .delete(deliveries)
      .where(sql`${deliveries.number} IN ${expired(sql`expired.number`)}`)
      .returning({ number: deliveries.number }),
  ] as const
}

/**
 * Erases answers that are older than `beforeMs` of the deliveries with these numbers, and removes ended ones of
 * deletions and of the account's events that are: no garment's removal takes them with it, and no index finds them
 * among others.
 */
export function eraseStatements(
  db: Database,
  numbers: { readonly after: number; readonly to: number },
  beforeMs: number,
) {
  const isOld = (at: SQLWrapper) => lt(at, beforeMs)
  const isInStep = and(gt(deliveries.number, numbers.after), lte(deliveries.number, numbers.to))
  const isOldEvent = and(
    isInStep,
    or(like(deliveries.deliveryKey, 'deletion%'), isNotNull(deliveries.body)),
    isNull(deliveries.dueAt),
    isOld(deliveries.createdAt),
  )
  const areOf = (which: SQL | undefined) =>
    sql`(tenant_id, delivery_id) IN (SELECT tenant_id, id FROM ${deliveries} WHERE ${which})`
  return {
    attempts: db.delete(deliveryAttempts).where(areOf(isOldEvent)),
    removed: db.delete(deliveries).where(isOldEvent),
    emptied: db
      .update(deliveryAttempts)
      .set({ responseBody: '' })
      .where(and(areOf(isInStep), isOld(deliveryAttempts.at), ne(deliveryAttempts.responseBody, ''))),
    emptiedFirst: db
      .update(deliveries)
      .set({ firstAttempt: sql`json_set(${deliveries.firstAttempt}, '$[3]', '')` })
      .where(and(isInStep, isOld(firstAttempt.at), ne(firstAttempt.responseBody, ''))),
  }
}

/** Removes at most `limit` deliveries of a deleted tenant in any state, with their attempts. Returns a row for each. */
export function purgeDeliveries(db: Database, tenantId: string, limit: number) {
  const some = (column: SQLiteColumn) =>
    db
      .select({ column })
      .from(deliveries)
      .where(eq(deliveries.tenantId, tenantId))
      .orderBy(asc(deliveries.garmentUuid))
      .limit(limit)
  return [
    db
      .delete(deliveryAttempts)
      .where(and(eq(deliveryAttempts.tenantId, tenantId), inArray(deliveryAttempts.deliveryId, some(deliveries.id)))),
    db
      .delete(deliveries)
      .where(inArray(deliveries.number, some(deliveries.number)))
      .returning({ number: deliveries.number }),
  ] as const
}
