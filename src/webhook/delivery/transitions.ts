/**
 * The state machine of a delivery: every statement that changes a row of `deliveries`, but for the start, which is in
 * `start-deliveries.ts`, endings without an attempt, which are in `end-deliveries.ts`, and postponing.
 *
 *   start -> pending -> claim -> record -> pending (retry), delivered or permanently_failed
 *                             -> release -> pending (not an attempt)
 *            pending -> end -> permanently_failed (or delivered, if it had been before a manual redelivery)
 *   any state -> redeliver -> pending
 *            pending -> rename -> pending (under a new id)
 *            pending -> postpone -> pending (enqueued by the sweep, in maintenance/sweep-deliveries.ts)
 *
 * A claim is a lease with a fresh id. Whoever holds it writes only while the row still carries that id. The start of a
 * delivery that goes straight to its dispatcher is its first claim, under the delivery's own id, which saves a row.
 */
import { and, eq, gte, lte, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { accountEndpoint, deliveries, deliveryAttempts } from '../../db/schema.ts'
import { isPaused } from '../../pause/is-paused.ts'
import { queueGraceMs } from '../../queue/enqueue.ts'
import { countEnded } from '../../usage/count-ended.ts'
import type { Answer } from '../request/call-receiver.ts'
import {
  isClaimedBy,
  isEndpointEnabled,
  matchesMessage,
  isToAnyEndpoint,
  isUnleased,
  type ClaimedDelivery,
  type DeliveryStatus,
  unclaimed,
} from './conditions.ts'
import { areAttemptsOf, isKeptInRow } from './made-attempts.ts'
import type { DeliveryMessage } from './message.ts'

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
        matchesMessage(message),
        eq(deliveries.status, 'pending'),
        eq(deliveries.attemptCount, message.attempt - 1),
        lte(deliveries.nextAttemptAt, nowMs + earlyMs),
        // A claim of the start that has become too old is renewed.
        or(isUnleased(nowMs), eq(deliveries.claimId, claimId), message.isClaimed ? isClaimedByStart : undefined),
        not(isPaused('deliveries', message.tenantId)),
      ),
    )
    .returning()
}

const isClaimedByStart = eq(deliveries.claimId, deliveries.id)

/** The delivery of a message that passes on the claim of its start, while that lasts. */
export function findClaimed(db: Database, message: DeliveryMessage, nowMs: number) {
  return db
    .select()
    .from(deliveries)
    .where(
      and(
        matchesMessage(message),
        eq(deliveries.status, 'pending'),
        eq(deliveries.attemptCount, message.attempt - 1),
        isClaimedByStart,
        gte(deliveries.leaseUntil, nowMs + minLeaseMs),
        not(isPaused('deliveries', message.tenantId)),
      ),
    )
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
  readonly answer: Answer
  readonly status: DeliveryStatus
  readonly nextAttemptAt: number | null
}

/** Applies the outcome of an attempt to the claimed delivery, and counts it if it has ended. */
export function applyOutcome(db: Database, claimed: ClaimedDelivery, outcome: RecordedOutcome, nowMs: number) {
  const { attempt, startedAt, answer, status, nextAttemptAt } = outcome
  // A manual redelivery that leaves a delivery as it was is no new ending. Those of an account are no tenant's.
  const isNewEnding = status !== 'pending' && status !== claimed.redeliveredFrom && claimed.endpoint !== accountEndpoint
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
    .where(and(which, isUnleased(nowMs), isEndpointEnabled(db, tenantId, deliveries.endpoint)))
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
