/**
 * The state machine of a delivery: every statement that changes a row of `deliveries`, but for endings without an
 * attempt, which are in `end-deliveries.ts`.
 *
 *   start -> pending -> claim -> record -> pending (retry), delivered or permanently_failed
 *                             -> release -> pending (not an attempt)
 *            pending -> end -> permanently_failed (or delivered, if it had been before a manual redelivery)
 *   any state -> redeliver -> pending
 *            pending -> postpone -> pending (enqueued by the sweep)
 *
 * A claim is a lease with a fresh id. Whoever holds it writes only while the row still carries that id.
 */
import { and, eq, lte, not, or, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { deliveries, webhookConfigs } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import { isPaused } from '../../pause/is-paused.ts'
import { queueGraceMs } from '../../queue/enqueue.ts'
import { countEnded } from '../../usage/count-ended.ts'
import type { Answer } from '../request/call-receiver.ts'
import {
  isClaimedBy,
  isNamedBy,
  isUnleased,
  isWebhookEnabled,
  type ClaimedDelivery,
  type DeliveryKind,
  type DeliveryStatus,
  unclaimed,
} from './conditions.ts'
import { eraseFormerAttempts } from './end-deliveries.ts'
import { nextMessage, type DeliveryMessage } from './message.ts'

/** Longer than the longest exchange (15 s), with room for the reads before it and the writes after it. */
export const leaseMs = 30_000

/** A queue delivers a delayed message to the second, not to the millisecond. */
const earlyMs = 1000

/**
 * The statement that gives a garment its delivery, or starts its delivery over under a new id, if the tenant's webhook
 * is enabled and `when` holds; the delivery of a correction only if the tenant asked for those. `when` is a condition
 * on the garment's state, so that the statement can stand in the batch that ends the garment; it must come before the
 * statement that changes that state. The statement returns a row if the delivery was started, and only then is
 * `message` to be enqueued. `eraseFormer` stands before it: the attempts of a delivery that starts over go with it.
 */
export function startDelivery(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  when: SQL | undefined,
  nowMs: number,
  kind: DeliveryKind = 'tagging',
) {
  const isWanted = kind === 'correction' ? eq(webhookConfigs.sendsCorrections, true) : undefined
  const fresh = {
    // A new number too, so that the attempts of the former delivery are not listed as attempts of this one.
    number: sql`(SELECT coalesce(max(number), 0) + 1 FROM ${deliveries})`,
    id: newId(),
    status: 'pending',
    attemptCount: 0,
    lastAttemptAt: null,
    nextAttemptAt: nowMs,
    lastError: '',
    responseStatus: 0,
    redeliveredFrom: null,
    dueAt: nowMs + queueGraceMs,
    createdAt: nowMs,
    updatedAt: nowMs,
    ...unclaimed,
  } as const
  const statement = db
    .insert(deliveries)
    .select(
      db
        .select(selectValues(deliveries, { ...fresh, tenantId, garmentUuid, kind }))
        .from(webhookConfigs)
        .where(and(eq(webhookConfigs.tenantId, tenantId), eq(webhookConfigs.enabled, true), isWanted, when)),
    )
    .onConflictDoUpdate({ target: [deliveries.tenantId, deliveries.garmentUuid, deliveries.kind], set: fresh })
    .returning({ id: deliveries.id })
  const eraseFormer = eraseFormerAttempts(db, { tenantId, garmentUuid, kind }, when)
  return { eraseFormer, statement, message: nextMessage({ ...fresh, tenantId, garmentUuid }) }
}

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
        isNamedBy(message),
        eq(deliveries.status, 'pending'),
        eq(deliveries.attemptCount, message.attempt - 1),
        lte(deliveries.nextAttemptAt, nowMs + earlyMs),
        or(isUnleased(nowMs), eq(deliveries.claimId, claimId)),
        not(isPaused('deliveries', message.tenantId)),
      ),
    )
    .returning()
}

/** Releases a claimed delivery for an attempt at `nextAttemptAt`, for which the sweep enqueues it. */
export function releaseDelivery(db: Database, claimed: ClaimedDelivery, nextAttemptAt: number) {
  return db
    .update(deliveries)
    .set({ ...unclaimed, nextAttemptAt, dueAt: nextAttemptAt })
    .where(isClaimedBy(claimed))
}

export interface RecordedOutcome {
  readonly attempt: number
  readonly startedAt: number
  readonly answer: Pick<Answer, 'status' | 'error'>
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
    .where(and(which, isUnleased(nowMs), isWebhookEnabled(db, tenantId)))
    .returning()
}

const minPauseMs = 60_000
const maxPauseMs = 60 * 60_000

/**
 * Takes overdue deliveries for the sweep, of each tenant the `share` that is overdue longest. Each is next due after
 * half the time it is overdue, between a minute and an hour, so that a long backlog is not enqueued over and over.
 */
export function postponeDueDeliveries(db: Database, tenantIds: readonly string[], share: number, nowMs: number) {
  const overdueMs = sql`(${nowMs} - coalesce(${deliveries.nextAttemptAt}, ${deliveries.createdAt}))`
  // The query builder has no JSON tables and no limit for each tenant.
  const due = sql`(
    SELECT taken.number FROM json_each(${JSON.stringify(tenantIds)}) AS tenant CROSS JOIN ${deliveries} AS taken
    WHERE taken.number IN (
      SELECT number FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = tenant.value AND overdue.due_at <= ${nowMs} ORDER BY overdue.due_at LIMIT ${share}
    )
  )`
  return db
    .update(deliveries)
    .set({ dueAt: sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, ${overdueMs} / 2))` })
    .where(sql`${deliveries.number} IN ${due}`)
    .returning({
      tenantId: deliveries.tenantId,
      garmentUuid: deliveries.garmentUuid,
      id: deliveries.id,
      attemptCount: deliveries.attemptCount,
    })
}
