import { and, eq, inArray, isNotNull, isNull, lte } from 'drizzle-orm'
import { eventOfKind, isOfUuidOnly } from '../../events/catalogue.ts'
import { reportAccountEvent } from '../../events/account-events.ts'
import { deliveryError, storeDeliveryError, switchedOff } from '../../events/delivery-error.ts'
import {
  type ClaimedDelivery,
  type DeliveryMessage,
  type EndpointRow,
  isClaimedBy,
  isDelivery,
  isEndpoint,
  nextMessage,
} from '../../events/delivery.ts'
import {
  type Answer,
  applyOutcome,
  claimDelivery,
  makePausedDue,
  type RecordedOutcome,
  releaseDelivery,
} from '../../events/delivery-transitions.ts'
import { endDeliveries, endIfSwitchedOff, endPendingDeliveries } from '../../events/end-deliveries.ts'
import { removeAttempts } from '../../events/remove-deliveries.ts'
import { garmentRow } from '../../garments/garment.ts'
import { log } from '../../log.ts'
import { type Metrics, writeMetric } from '../../metrics.ts'
import { addRequired, rowBytesOf } from '../../platform/db/count-rows.ts'
import { type Database, hasChanged, hasRow, newId, runBatch, selectValues } from '../../platform/db/database.ts'
import { deliveries, deliveryAttempts, garments, webhookEndpoints } from '../../platform/db/schema.ts'
import { parseStored } from '../../platform/db/stored-text.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { retryFault } from '../../platform/queue/settle.ts'
import type { Settings } from '../../settings.ts'
import { dayMs, hourMs, minuteMs, sleep, type Sleep, toIso } from '../../time.ts'
import { nextRevision } from '../endpoints/endpoint.ts'
import { encryptionKeysOf } from '../endpoints/encrypt.ts'
import type { Pace } from './backlog.ts'
import { accountPayload, buildCall, garmentPayload, type Payload, uuidPayload } from './build-call.ts'
import { type Call, callDeps, callReceiver } from './call-receiver.ts'
import { nextState } from './next-state.ts'

export interface AttemptDeps {
  readonly db: Database
  readonly queue: Queue
  readonly settings: Settings
  readonly metrics?: Metrics
  readonly call: (call: Call, origin: string) => Promise<Answer>
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

/** Short, because nothing is lost if the claim fails: the sweep enqueues the delivery again. */
const claimPausesMs = [50, 250, 1000]

/** Long, because an attempt that is not recorded is made again. The dispatcher prevents a second attempt meanwhile. */
const recordPausesMs = [20, 100, 500, 2000, 5000, 10_000, 20_000, 40_000, 60_000]

/** Pause before the next try if the garment is being tagged again. Its end starts the delivery over. */
const retaggingPauseMs = 30_000

/** Pause before the next try if the settings lack the key that encrypted the endpoint. */
const missingKeyPauseMs = 10 * minuteMs

/** A delivery ends after this many claims without a recorded attempt, because each of their runs has died. */
export const maxClaims = 10

/**
 * Makes one attempt if it is still due: claims it, calls the receiver, records the outcome and enqueues the next
 * attempt. Safe to run twice, even at the same time. Throws on faults of the service, after which the sweep enqueues
 * the delivery again.
 */
export async function attemptDelivery(message: DeliveryMessage, deps: AttemptDeps): Promise<void> {
  const { db, settings, now } = deps
  const claimId = newId()
  const claim = await retryFault(() => claimAttempt(db, message, claimId, now()), claimPausesMs, deps.sleep)
  if (claim === null) {
    await makePausedDue(db, message, now())
    return
  }
  const { config, delivery } = claim
  const endWithoutAttempt = async (reason: string) => {
    await runBatch(db, { ended: endDeliveries(db, delivery.tenantId, isClaimedBy(delivery), reason, now()) })
  }
  if (delivery.claims > maxClaims) return await endWithoutAttempt(storeDeliveryError('gave_up'))
  if (config === undefined || !config.enabled) return await endWithoutAttempt(config?.disabledReason ?? switchedOff)
  if (config.endedUntil !== null && delivery.updatedAt <= config.endedUntil)
    return await endWithoutAttempt(config.endedReason ?? switchedOff)
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

/** Returns the event to send, with the origin at which the service was called, or why nothing can be sent. */
function eventOf({ delivery, garment }: Claim, publicUrl: string | undefined) {
  if (delivery.body !== null) return { payload: accountPayload(delivery.body), origin: '' }
  const { kind } = delivery
  const event = eventOfKind(kind)
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

/** Whether the endpoint still receives the event. A manual redelivery is always sent. */
function isSubscribed({ redeliveredFrom }: Claim['delivery'], config: EndpointRow, { event }: Payload): boolean {
  return redeliveredFrom !== null || config.events.includes(event)
}

async function finishAttempt(claim: Claim, answer: Answer, startedAt: number, deps: AttemptDeps) {
  const { db, queue, settings, now } = deps
  const { delivery, attempt } = claim
  const { id, tenantId, garmentUuid, endpointId, redeliveredFrom } = delivery
  const endedAt = now()
  // The next state is computed once, so that a repeated record stores the same state.
  const next = nextState({ attempt, redeliveredFrom, answer }, settings.WEBHOOK_RETRY_DELAYS, endedAt, deps.random())
  const outcome = { attempt, startedAt, answer, ...next }
  const recorded = await retryFault(() => recordAttempt(db, claim, outcome, endedAt), recordPausesMs, deps.sleep)
  const { durationMs } = answer
  const outcomeCode = answer.error === null ? 'ok' : (parseStored(answer.error)?.code ?? 'other')
  const waitedMs = startedAt - (delivery.nextAttemptAt ?? startedAt)
  writeMetric(deps.metrics, { event: 'attempt', outcome: outcomeCode, tenantId, durationMs, waitedMs })
  log('info', answer.ok ? 'delivered' : 'delivery attempt failed', {
    tenant: tenantId,
    uuid: garmentUuid,
    delivery: id,
    endpoint: endpointId,
    attempt,
    status: answer.status ?? undefined,
    error: answer.error ?? undefined,
    duration_ms: durationMs,
  })
  if (recorded === undefined) return
  if (recorded.nextAttemptAt !== null) {
    const delaySeconds = Math.ceil(Math.max(recorded.nextAttemptAt - now(), 0) / 1000)
    await enqueue(queue, nextMessage({ ...delivery, attemptCount: attempt }), { delaySeconds })
  }
  const { failingSince } = recorded
  const { config } = claim
  if (!answer.ok && config && failingSince !== null && isToBeDisabled(failingSince, delivery.createdAt, now()))
    await disableFailing(db, config, failingSince, now())
}

type Claim = NonNullable<Awaited<ReturnType<typeof claimAttempt>>>

/**
 * Claims a delivery for one attempt and reads what the attempt needs. Returns null if there is nothing to claim. Safe
 * to repeat with the same `claimId` if its answer was lost.
 */
export async function claimAttempt(db: Database, message: DeliveryMessage, claimId: string, nowMs: number) {
  const { tenantId, deliveryId, endpointId, attempt } = message
  const garmentUuid = db
    .select({ uuid: deliveries.garmentUuid })
    .from(deliveries)
    .where(isDelivery({ tenantId, id: deliveryId }))
  const {
    claimed: [delivery],
    config: [config],
    garment: [garment],
  } = await runBatch(db, {
    claimed: claimDelivery(db, message, claimId, nowMs),
    config: db.select().from(webhookEndpoints).where(isEndpoint(tenantId, endpointId)),
    garment: db
      .select(garmentRow)
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), inArray(garments.uuid, garmentUuid))),
  })
  return delivery === undefined ? null : { delivery: { ...delivery, claimId }, attempt, config, garment }
}

/** More than the nine automatic attempts, and a bound on endless redeliveries. */
const maxAttemptRows = 20

const reportedFailureMs = hourMs

/**
 * Records an attempt in one transaction, if the claim still holds. Returns the delivery's next attempt and since when
 * the receiver fails. Returns undefined if another run has recorded the attempt or ended the delivery. Safe to repeat
 * if its answer was lost.
 */
export async function recordAttempt(
  db: Database,
  { delivery, config }: { readonly delivery: ClaimedDelivery; readonly config: EndpointRow | undefined },
  outcome: RecordedOutcome,
  endedAt: number,
) {
  const { tenantId, id: deliveryId, endpointId } = delivery
  const { attempt, startedAt, answer, status } = outcome
  const attemptRow = {
    tenantId,
    deliveryId,
    attempt,
    at: startedAt,
    durationMs: answer.durationMs,
    responseStatus: answer.status,
    error: answer.error,
    responseBody: answer.body === '' ? null : answer.body,
    trigger: delivery.redeliveredFrom === null ? ('automatic' as const) : ('manual' as const),
  }
  const isRecorded = and(isDelivery(delivery), eq(deliveries.attemptCount, attempt))
  const { states } = await runBatch(db, {
    attempt: db
      .insert(deliveryAttempts)
      .select(db.select(selectValues(deliveryAttempts, attemptRow)).from(deliveries).where(isClaimedBy(delivery)))
      .onConflictDoNothing(),
    counted: addRequired(tenantId, rowBytesOf('delivery_attempts', answer.body, answer.error ?? ''), hasChanged),
    receiver: db
      .update(webhookEndpoints)
      .set({ failingSince: answer.ok ? null : endedAt })
      .where(
        and(
          isEndpoint(tenantId, endpointId),
          answer.ok ? isNotNull(webhookEndpoints.failingSince) : isNull(webhookEndpoints.failingSince),
          hasRow(deliveries, isClaimedBy(delivery)),
        ),
      ),
    failing: answer.ok || config === undefined ? [] : reportFailing(db, config, endedAt),
    outcome: applyOutcome(db, delivery, outcome, endedAt),
    ending: status === 'pending' ? endIfSwitchedOff(db, delivery, attempt, endedAt) : [],
    former: attempt > maxAttemptRows ? removeAttempts(db, delivery, attempt - maxAttemptRows) : [],
    states: db
      .select({ nextAttemptAt: deliveries.nextAttemptAt, failingSince: webhookEndpoints.failingSince })
      .from(deliveries)
      .leftJoin(webhookEndpoints, isEndpoint(tenantId, endpointId))
      .where(isRecorded),
  })
  return states[0]
}

/** Describes an endpoint without its URL's path and query, which can contain a secret. */
const describeFailing = ({ id, url, description }: EndpointRow, failingSince: number) => ({
  endpoint: { id, host: URL.parse(url ?? '')?.host ?? '', description },
  failing_since: toIso(failingSince),
})

/** Reports an endpoint once if every attempt has failed for an hour. */
function reportFailing(db: Database, config: EndpointRow, nowMs: number) {
  const { tenantId, id, failingSince } = config
  if (failingSince === null || failingSince > nowMs - reportedFailureMs) return []
  const subject = `${id}/${failingSince}`
  const happened = {
    tenantId,
    event: 'endpoint.failing',
    subject,
    data: describeFailing(config, failingSince),
  } as const
  const isStillFailing = hasRow(
    webhookEndpoints,
    and(isEndpoint(tenantId, id), eq(webhookEndpoints.failingSince, failingSince)),
  )
  return reportAccountEvent(db, happened, nowMs, isStillFailing)
}

const failingLimitMs = 5 * dayMs

/** The failed delivery must be this old, because one failure after days without deliveries is weak evidence. */
const minDeliveryAgeMs = dayMs

const isToBeDisabled = (failingSince: number, deliveryCreatedAt: number, nowMs: number) =>
  failingSince <= nowMs - failingLimitMs && deliveryCreatedAt <= nowMs - minDeliveryAgeMs

export async function disableFailing(db: Database, endpoint: EndpointRow, failingSince: number, nowMs: number) {
  const { tenantId, id: endpointId } = endpoint
  const reason = storeDeliveryError('always_failing', { since: toIso(failingSince) })
  const data = { ...describeFailing(endpoint, failingSince), reason: deliveryError(reason) }
  const happened = { tenantId, event: 'endpoint.disabled', subject: `${endpointId}/${failingSince}`, data } as const
  const isDisabled = and(isEndpoint(tenantId, endpointId), eq(webhookEndpoints.disabledReason, reason))
  const { disabled } = await runBatch(db, {
    // Does nothing if an attempt has succeeded or the configuration was replaced meanwhile.
    disabled: db
      .update(webhookEndpoints)
      .set({
        enabled: false,
        disabledReason: reason,
        updatedAt: nowMs,
        endedUntil: nowMs,
        endedReason: reason,
        revision: nextRevision,
      })
      .where(
        and(
          isEndpoint(tenantId, endpointId),
          eq(webhookEndpoints.enabled, true),
          lte(webhookEndpoints.failingSince, nowMs - failingLimitMs),
        ),
      )
      .returning({ id: webhookEndpoints.id }),
    reported: reportAccountEvent(db, happened, nowMs, hasRow(webhookEndpoints, isDisabled)),
  })
  if (disabled.length === 0) return
  log('warn', 'webhook disabled', { tenant: tenantId, endpoint: endpointId })
  await endPendingDeliveries(db, tenantId, endpointId, reason, nowMs)
}
