import { type Database, newId, runBatch } from '../../platform/db/database.ts'
import { parseStored } from '../../platform/db/stored-text.ts'
import { log } from '../../log.ts'
import { type Metrics, writeMetric } from '../../metrics.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import type { Settings } from '../../settings.ts'
import { minuteMs, sleep, type Sleep } from '../../time.ts'
import type { ConfigRow } from '../endpoints/endpoint.ts'
import { encryptionKeysOf } from '../endpoints/encrypt.ts'
import { storeDeliveryError, switchedOff } from '../../events/delivery-error.ts'
import { type Claim, claimAttempt, recordAttempt } from './record-attempt.ts'
import { eventOfKind, isOfUuidOnly } from '../../events/catalogue.ts'
import { type DeliveryMessage, isClaimedBy, kindOf, nextMessage } from '../../events/delivery.ts'
import { disableFailing, isToBeDisabled } from './end-deliveries.ts'
import { endDeliveries, releaseDelivery } from '../../events/transitions.ts'
import { nextState } from './next-state.ts'
import { accountPayload, buildCall, garmentPayload, type Payload, uuidPayload } from './build-call.ts'
import { type Call, callDeps, callReceiver } from './call-receiver.ts'
import type { Answer } from '../../events/transitions.ts'
import type { Pace } from './backlog.ts'
import { retryFault } from '../../platform/queue/settle.ts'

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
  const outcome = { answer, next, startedAt, endedAt }
  const recorded = await retryFault(() => recordAttempt(db, claim, outcome), recordPausesMs, deps.sleep)
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
  if (recorded === null) return
  if (recorded.nextAttemptAt !== null) {
    const delaySeconds = Math.ceil(Math.max(recorded.nextAttemptAt - now(), 0) / 1000)
    await enqueue(queue, nextMessage({ ...delivery, attemptCount: attempt }), { delaySeconds })
  }
  const { failingSince } = recorded
  if (!answer.ok && failingSince !== null && isToBeDisabled(failingSince, delivery.createdAt, now()))
    await disableFailing(db, delivery, failingSince, now())
}
