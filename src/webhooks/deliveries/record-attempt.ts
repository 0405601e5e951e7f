import { and, eq, inArray, isNotNull, isNull, lte, not, sql } from 'drizzle-orm'
import { type Database, hasRow, runBatch, selectValues } from '../../platform/db/database.ts'
import { isNearlyFull } from '../../platform/db/databases.ts'
import { deliveries, deliveryAttempts, garments, webhookEndpoints } from '../../platform/db/schema.ts'
import { type ConfigRow } from '../endpoints/endpoint.ts'
import {
  isEndpoint,
  areAttemptsOf,
  type ClaimedDelivery,
  type DeliveryMessage,
  type DeliveryRow,
  isClaimedBy,
  isDelivery,
  isKeptInRow,
  matchesMessage,
} from '../../events/delivery.ts'
import { applyOutcome, claimDelivery, endIfSwitchedOff, findClaimed } from '../../events/transitions.ts'
import type { Answer } from '../../events/transitions.ts'
import { type GarmentRow, garmentRow } from '../../garments/garment.ts'
import type { NextState } from './next-state.ts'

export interface Claim {
  readonly delivery: ClaimedDelivery
  readonly attempt: number
  readonly config: ConfigRow | undefined
  readonly garment: GarmentRow | undefined
}

/**
 * Claims a delivery for one attempt, unless it was started with a claim, and reads what the attempt needs: in one round
 * trip. Null if there is nothing to claim. Repeating it with the same `claimId`
 * is harmless, so a claim whose answer was lost can be repeated.
 */
export async function claimAttempt(
  db: Database,
  message: DeliveryMessage,
  claimId: string,
  nowMs: number,
): Promise<Claim | null> {
  const claimed = message.isClaimed ? await read(db, message, findClaimed(db, message, nowMs)) : null
  return claimed ?? (await read(db, message, claimDelivery(db, message, claimId, nowMs)))
}

/** What an attempt needs, after the statement that gives its claimed delivery. */
async function read(
  db: Database,
  message: DeliveryMessage,
  claimed: ReturnType<typeof findClaimed> | ReturnType<typeof claimDelivery>,
): Promise<Claim | null> {
  const { tenantId, attempt, endpoint } = message
  const garmentUuid = db.select({ uuid: deliveries.garmentUuid }).from(deliveries).where(matchesMessage(message))
  const {
    claimed: [delivery],
    config: [config],
    garment: [garment],
  } = await runBatch(db, {
    claimed,
    config: db.select().from(webhookEndpoints).where(isEndpoint({ tenantId, endpoint })),
    garment: db
      .select(garmentRow)
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), inArray(garments.uuid, garmentUuid))),
  })
  if (delivery === undefined || delivery.claimId === null) return null
  return { delivery: { ...delivery, claimId: delivery.claimId }, attempt, config, garment }
}

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
 * answer was lost can be repeated. Rows before the delivery's latest 20 attempts are removed, and none is stored while
 * the database is nearly full, since no quota counts them.
 */
export async function recordAttempt(
  db: Database,
  { delivery, attempt }: Claim,
  { answer, next, startedAt, endedAt }: AttemptOutcome,
): Promise<RecordedState | null> {
  const { tenantId, id } = delivery
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
  const { states } = await runBatch(db, {
    attempt: db
      .insert(deliveryAttempts)
      .select(
        db
          .select(selectValues(deliveryAttempts, attemptRow))
          .from(deliveries)
          .where(and(isClaimedBy(delivery), isKeptInRow(delivery, attempt, answer.ok) ? sql`0` : not(isNearlyFull))),
      )
      .onConflictDoNothing(),
    receiver: db
      .update(webhookEndpoints)
      .set({ failingSince: answer.ok ? null : endedAt })
      .where(
        and(
          isEndpoint(delivery),
          answer.ok ? isNotNull(webhookEndpoints.failingSince) : isNull(webhookEndpoints.failingSince),
          hasRow(deliveries, isClaimedBy(delivery)),
        ),
      ),
    outcome: applyOutcome(db, delivery, { attempt, startedAt, answer, ...next }, endedAt),
    ending: next.status === 'pending' ? endIfSwitchedOff(db, delivery, attempt, endedAt) : [],
    states: db
      .select({ nextAttemptAt: deliveries.nextAttemptAt, failingSince: webhookEndpoints.failingSince })
      .from(deliveries)
      .leftJoin(webhookEndpoints, isEndpoint(delivery))
      .where(and(isDelivery(delivery), eq(deliveries.attemptCount, attempt))),
    former: attempt > keptAttempts ? [removeAttempts(db, delivery, attempt)] : [],
  })
  return states[0] ?? null
}

/** Removes the rows before a delivery's latest, once attempt `attempt` is recorded. */
function removeAttempts(db: Database, delivery: DeliveryRow, attempt: number) {
  const isRecorded = and(isDelivery(delivery), eq(deliveries.attemptCount, attempt))
  return db
    .delete(deliveryAttempts)
    .where(and(areAttemptsOf(db, delivery.tenantId, isRecorded), lte(deliveryAttempts.attempt, attempt - keptAttempts)))
}
