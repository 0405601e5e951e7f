import { type Database, hasRow, newId, runBatch, selectValues } from '../../platform/db/database.ts'
import { parseStored } from '../../platform/db/stored-text.ts'
import { log } from '../../log.ts'
import { type Metrics, writeMetric } from '../../metrics.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import type { Settings } from '../../settings.ts'
import { dayMs, minuteMs, sleep, type Sleep, toIso } from '../../time.ts'
import type { ConfigRow } from '../endpoints/endpoint.ts'
import { encryptionKeysOf } from '../endpoints/encrypt.ts'
import { storeDeliveryError, switchedOff } from '../../events/delivery-error.ts'
import { eventOfKind, isOfUuidOnly } from '../../events/catalogue.ts'
import {
  areAttemptsOf,
  type ClaimedDelivery,
  type DeliveryMessage,
  type DeliveryRow,
  isClaimedBy,
  isDelivery,
  isEndpoint,
  isKeptInRow,
  kindOf,
  matchesMessage,
  nextMessage,
} from '../../events/delivery.ts'
import {
  type Answer,
  applyOutcome,
  claimDelivery,
  endDeliveries,
  endIfSwitchedOff,
  endPendingDeliveries,
  findClaimed,
  type RecordedOutcome,
  releaseDelivery,
} from '../../events/transitions.ts'
import { nextState } from './next-state.ts'
import { accountPayload, buildCall, garmentPayload, type Payload, uuidPayload } from './build-call.ts'
import { type Call, callDeps, callReceiver } from './call-receiver.ts'
import type { Pace } from './backlog.ts'
import { retryFault } from '../../platform/queue/settle.ts'
import { and, eq, inArray, isNotNull, isNull, lte, not, sql } from 'drizzle-orm'
import { isNearlyFull } from '../../platform/db/databases.ts'
import { deliveries, deliveryAttempts, garments, webhookEndpoints } from '../../platform/db/schema.ts'
import { garmentRow } from '../../garments/garment.ts'

export interface AttemptDeps {
  readonly db: Database
  readonly queue: Queue
  readonly settings: Settings
  readonly metrics?: Metrics
  readonly call: (call: Call, origin: string) => Promise<Answer>
  /** Enforces the endpoint's rate limit. */
  readonly pace?: Pace | undefined
  readonly now: () => number
  readonly random: () => number
  readonly sleep: Sleep
}

export function attemptDeps(db: Database, queue: Queue, settings: Settings): AttemptDeps {
  return {
    db,
    queue,
    settings,
    call: async (call, origin) => await callReceiver(call, callDeps(settings, origin)),
    now: Date.now,
    random: Math.random,
    sleep,
  }
}

/** Short: before the claim only time is lost, and the sweep enqueues the delivery again. */
const claimPausesMs = [50, 250, 1000]

/** Long: an attempt that is not recorded is repeated. The dispatcher prevents a second attempt meanwhile. */
const recordPausesMs = [20, 100, 500, 2000, 5000, 10_000, 20_000, 40_000, 60_000]

/** The pause before the next look at a garment that is being tagged again and then starts its delivery over. */
const retaggingPauseMs = 30_000

/** The pause before the next look at a configuration whose encryption key is missing from the settings. */
const missingKeyPauseMs = 10 * minuteMs

/** After this many claims without a recorded attempt, that is runs that died, the delivery ends. */
export const maxClaims = 10

/**
 * Makes one attempt if it is still due: claim, call, record, enqueue the next. It may run twice, even at the same time,
 * with the same outcome. Throws on faults of the service itself; the sweep then enqueues the delivery again.
 */
export async function attemptDelivery(message: DeliveryMessage, deps: AttemptDeps): Promise<void> {
  const { db, settings, now } = deps
  const claimId = newId()
  const claim = await retryFault(() => claimAttempt(db, message, claimId, now()), claimPausesMs, deps.sleep)
  if (claim === null) return
  const { config, delivery } = claim
  const endWithoutAttempt = async (reason: string) => {
    await runBatch(db, { ended: endDeliveries(db, delivery.tenantId, isClaimedBy(delivery), reason, now()) })
  }
  if (delivery.claims > maxClaims) return await endWithoutAttempt(storeDeliveryError('gave_up'))
  if (config === undefined || !config.enabled) return await endWithoutAttempt(config?.disabledReason || switchedOff)
  if (config.endedUntil !== null && delivery.updatedAt <= config.endedUntil)
    return await endWithoutAttempt(config.endedReason)
  const event = eventOf(claim, settings.PUBLIC_URL)
  if (event === 'garment deleted') return await endWithoutAttempt(storeDeliveryError('garment_deleted'))
  if (event === 'being tagged') {
    await releaseDelivery(db, delivery, now() + retaggingPauseMs)
    return
  }
  if (!isSubscribed(delivery, config, event.payload)) return await endWithoutAttempt(storeDeliveryError('not_asked'))
  await deps.pace?.(config.maxPerSecond)
  const startedAt = now()
  const call = await buildCall(encryptionKeysOf(settings), config, delivery.id, event.payload, startedAt).catch(
    (error: unknown) => {
      log('error', 'webhook configuration not decrypted', { tenant: delivery.tenantId, error })
      return null
    },
  )
  if (call === null) {
    await releaseDelivery(db, delivery, startedAt + missingKeyPauseMs)
    return
  }
  const answer = await deps.call(call, event.origin)
  await finishAttempt(claim, answer, startedAt, deps)
}

/** The payload, and the URL at which the service was called for it. */
function eventOf({ delivery, garment }: Claim, publicUrl: string | undefined) {
  if (delivery.body !== null) return { payload: accountPayload(delivery.body), origin: '' }
  const [kind, event] = [kindOf(delivery), eventOfKind(kindOf(delivery))]
  if (isOfUuidOnly(event))
    return { payload: uuidPayload(event, delivery.garmentUuid, delivery.createdAt), origin: delivery.origin ?? '' }
  if (garment === undefined) return 'garment deleted'
  if (garment.endedAt === null) return 'being tagged'
  const occurrence =
    kind === 'tagging'
      ? { event: garment.status === 'failed' ? 'tagging.failed' : event, atMs: garment.endedAt }
      : { event, atMs: delivery.createdAt }
  return { payload: garmentPayload(garment, occurrence, publicUrl), origin: garment.origin }
}

/**
 * A garment that has been uploaded again or described by hand has another event than its delivery was started for. What
 * somebody redelivers is sent in any case.
 */
function isSubscribed({ redeliveredFrom }: Claim['delivery'], config: ConfigRow, { event }: Payload): boolean {
  return redeliveredFrom !== null || config.events.includes(event)
}

async function finishAttempt(claim: Claim, answer: Answer, startedAt: number, deps: AttemptDeps) {
  const { db, queue, settings, now } = deps
  const { delivery, attempt } = claim
  const { id, tenantId, garmentUuid, redeliveredFrom } = delivery
  const endedAt = now()
  // Computed once, so that a repeated record says the same.
  const next = nextState({ attempt, redeliveredFrom, answer }, settings.WEBHOOK_RETRY_DELAYS, endedAt, deps.random())
  const outcome = { attempt, startedAt, answer, ...next }
  const recorded = await retryFault(() => recordAttempt(db, delivery, outcome, endedAt), recordPausesMs, deps.sleep)
  const { durationMs } = answer
  const outcomeCode = answer.ok ? 'ok' : (parseStored(answer.error)?.code ?? 'other')
  const waitedMs = startedAt - (delivery.nextAttemptAt ?? startedAt)
  writeMetric(deps.metrics, { event: 'attempt', outcome: outcomeCode, tenantId, durationMs, waitedMs })
  log('info', answer.ok ? 'delivered' : 'delivery attempt failed', {
    tenant: tenantId,
    uuid: garmentUuid,
    delivery: id,
    endpoint: delivery.endpoint,
    attempt,
    status: answer.status,
    error: answer.ok ? undefined : answer.error,
    duration_ms: durationMs,
  })
  if (recorded === undefined) return
  if (recorded.nextAttemptAt !== null) {
    const delaySeconds = Math.ceil(Math.max(recorded.nextAttemptAt - now(), 0) / 1000)
    await enqueue(queue, nextMessage({ ...delivery, attemptCount: attempt }), { delaySeconds })
  }
  const { failingSince } = recorded
  if (!answer.ok && failingSince !== null && isToBeDisabled(failingSince, delivery.createdAt, now()))
    await disableFailing(db, delivery, failingSince, now())
}

type Claim = NonNullable<Awaited<ReturnType<typeof read>>>

/**
 * Claims a delivery for one attempt, unless it was started with a claim, and reads what the attempt needs: in one round
 * trip. Null if there is nothing to claim. Repeating it with the same `claimId` is harmless, so a claim whose answer
 * was lost can be repeated.
 */
export async function claimAttempt(db: Database, message: DeliveryMessage, claimId: string, nowMs: number) {
  const claimed = message.isClaimed ? await read(db, message, findClaimed(db, message, nowMs)) : null
  return claimed ?? (await read(db, message, claimDelivery(db, message, claimId, nowMs)))
}

/** What an attempt needs, after the statement that gives its claimed delivery. */
async function read(
  db: Database,
  message: DeliveryMessage,
  claimed: ReturnType<typeof findClaimed> | ReturnType<typeof claimDelivery>,
) {
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

/**
 * Records an attempt in one transaction that holds only while the claim does: its row, unless that of the delivery
 * keeps it, the delivery's new state, the day's count, and since when the receiver fails. Returns when the next attempt
 * is due (null if the delivery has ended), and since when the receiver fails; undefined if the claim was lost, that is
 * if another run has recorded the attempt or ended the delivery. Repeating it is harmless, so a record whose answer was
 * lost can be repeated. Rows before the delivery's latest 20 attempts are removed, and none is stored while the
 * database is nearly full, since no quota counts them.
 */
export async function recordAttempt(
  db: Database,
  delivery: ClaimedDelivery,
  outcome: RecordedOutcome,
  endedAt: number,
) {
  const { tenantId, id } = delivery
  const { attempt, startedAt, answer, status } = outcome
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
    outcome: applyOutcome(db, delivery, outcome, endedAt),
    ending: status === 'pending' ? endIfSwitchedOff(db, delivery, attempt, endedAt) : [],
    states: db
      .select({ nextAttemptAt: deliveries.nextAttemptAt, failingSince: webhookEndpoints.failingSince })
      .from(deliveries)
      .leftJoin(webhookEndpoints, isEndpoint(delivery))
      .where(and(isDelivery(delivery), eq(deliveries.attemptCount, attempt))),
    former: attempt > keptAttempts ? [removeAttempts(db, delivery, attempt)] : [],
  })
  return states[0]
}

/** Removes the rows before a delivery's latest, once attempt `attempt` is recorded. */
function removeAttempts(db: Database, delivery: DeliveryRow, attempt: number) {
  const isRecorded = and(isDelivery(delivery), eq(deliveries.attemptCount, attempt))
  return db
    .delete(deliveryAttempts)
    .where(and(areAttemptsOf(db, delivery.tenantId, isRecorded), lte(deliveryAttempts.attempt, attempt - keptAttempts)))
}

/** How long every attempt at a receiver may fail before the service stops calling it. */
const failingLimitMs = 5 * dayMs

/** One failure after days of silence is weak evidence: the delivery that failed must itself be this old. */
const minDeliveryAgeMs = dayMs

const isToBeDisabled = (failingSince: number, deliveryCreatedAt: number, nowMs: number) =>
  failingSince <= nowMs - failingLimitMs && deliveryCreatedAt <= nowMs - minDeliveryAgeMs

/** Disables an endpoint whose receiver has failed since `failingSince`, and ends what is pending. */
export async function disableFailing(
  db: Database,
  receiver: Pick<DeliveryRow, 'tenantId' | 'endpoint'>,
  failingSince: number,
  nowMs: number,
) {
  const reason = storeDeliveryError('always_failing', { since: toIso(failingSince) })
  // Not if an attempt has succeeded or the configuration was replaced meanwhile.
  const disabled = await db
    .update(webhookEndpoints)
    .set({ enabled: false, disabledReason: reason, updatedAt: nowMs, endedUntil: nowMs, endedReason: reason })
    .where(
      and(
        isEndpoint(receiver),
        eq(webhookEndpoints.enabled, true),
        lte(webhookEndpoints.failingSince, nowMs - failingLimitMs),
      ),
    )
    .returning({ tenantId: webhookEndpoints.tenantId })
  if (disabled.length === 0) return
  log('warn', 'webhook disabled', { tenant: receiver.tenantId, endpoint: receiver.endpoint })
  await endPendingDeliveries(db, receiver, reason, nowMs)
}
