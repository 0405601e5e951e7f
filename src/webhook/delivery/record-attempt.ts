import { and, eq, exists, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, webhookEndpoints } from '../../db/schema.ts'
import { selectValues } from '../../db/select-values.ts'
import type { Answer } from '../request/call-receiver.ts'
import { isEndpoint } from '../config/config-row.ts'
import type { Claim } from './claim-attempt.ts'
import { isClaimedBy, isDelivery, type DeliveryRow } from './conditions.ts'
import { endIfSwitchedOff } from './end-deliveries.ts'
import { areAttemptsOf, isKeptInRow } from './made-attempts.ts'
import type { NextState } from './next-state.ts'
import { applyOutcome } from './transitions.ts'

/** Rows of a delivery, the latest: more than the nine automatic ones, and a bound on redeliveries without end. */
const keptAttempts = 20

export interface AttemptOutcome {
  readonly answer: Answer
  readonly next: NextState
  readonly startedAt: number
  readonly endedAt: number
}

export interface RecordedState {
  /** When the next attempt is due, ms since epoch; null if the delivery has ended. */
  readonly nextAttemptAt: number | null
  readonly failingSince: number | null
}

/**
 * Records an attempt in one transaction that holds only while the claim does: its row, unless that of the delivery
 * keeps it, the delivery's new state, the day's count, and since when the receiver fails. Null if the claim was lost,
 * that is if another run has recorded the attempt or ended the delivery. Repeating it is harmless, so a record whose
 * answer was lost can be repeated. Rows before the delivery's latest 20 attempts are removed.
 */
export async function recordAttempt(
  db: Database,
  { delivery, attempt }: Claim,
  { answer, next, startedAt, endedAt }: AttemptOutcome,
): Promise<RecordedState | null> {
  const { tenantId, id } = delivery
  const claimed = db
    .select({ one: sql`1` })
    .from(deliveries)
    .where(isClaimedBy(delivery))
  const attemptRow = {
    tenantId,
    deliveryId: id,
    attempt,
    at: startedAt,
    durationMs: answer.durationMs,
    responseStatus: answer.status,
    error: answer.error,
    responseBody: answer.body,
    trigger: delivery.redeliveredFrom === null ? ('automatic' as const) : ('manual' as const),
  }
  const record = [
    db
      .insert(deliveryAttempts)
      .select(
        db
          .select(selectValues(deliveryAttempts, attemptRow))
          .from(deliveries)
          .where(and(isClaimedBy(delivery), isKeptInRow(delivery, attempt, answer.ok) ? sql`0` : undefined)),
      )
      .onConflictDoNothing(),
    db
      .update(webhookEndpoints)
      .set({ failingSince: answer.ok ? null : endedAt })
      .where(
        and(
          isEndpoint(delivery),
          answer.ok ? isNotNull(webhookEndpoints.failingSince) : isNull(webhookEndpoints.failingSince),
          exists(claimed),
        ),
      ),
    ...applyOutcome(db, delivery, { attempt, startedAt, answer, ...next }, endedAt),
  ] as const
  const state = db
    .select({ nextAttemptAt: deliveries.nextAttemptAt, failingSince: webhookEndpoints.failingSince })
    .from(deliveries)
    .leftJoin(webhookEndpoints, isEndpoint(delivery))
    .where(and(isDelivery(delivery), eq(deliveries.attemptCount, attempt)))
  // After the others, so that they keep their places.
  const removal = attempt > keptAttempts ? [removeAttempts(db, delivery, attempt)] : []
  if (next.status !== 'pending') return (await db.batch([...record, state, ...removal]))[4][0] ?? null
  const ending = endIfSwitchedOff(db, delivery, attempt, endedAt)
  return (await db.batch([...record, ...ending, state, ...removal]))[6][0] ?? null
}

/** Removes the rows before a delivery's latest, once attempt `attempt` is recorded. */
function removeAttempts(db: Database, delivery: DeliveryRow, attempt: number) {
  const isRecorded = and(isDelivery(delivery), eq(deliveries.attemptCount, attempt))
  return db
    .delete(deliveryAttempts)
    .where(and(areAttemptsOf(db, delivery.tenantId, isRecorded), lte(deliveryAttempts.attempt, attempt - keptAttempts)))
}
