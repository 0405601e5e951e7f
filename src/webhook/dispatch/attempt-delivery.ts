import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import type { Settings } from '../../settings.ts'
import { log } from '../../log.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { buildCall } from '../request/build-call.ts'
import { callReceiver, type Answer, type Call } from '../request/call-receiver.ts'
import { claimAttempt, type Claim } from '../delivery/claim-attempt.ts'
import type { ConfigRow } from '../config/config.ts'
import { decide } from '../delivery/next-state.ts'
import { disableFailing, isToBeDisabled } from '../delivery/disable-failing.ts'
import type { DeliveryMessage } from '../delivery/message.ts'
import { deferAttempt, endWithoutAttempt, noteAttempt } from '../delivery/record-attempt.ts'
import { outsideOf } from '../request/outside.ts'
import { garmentPayload } from '../request/payload.ts'
import { switchedOff } from '../config/put-config.ts'
import { retryFault, sleep, type Sleep } from '../../queue/retry-fault.ts'

/** What an attempt needs from outside. */
export interface AttemptTools {
  readonly db: Database
  readonly queue: Queue
  readonly settings: Settings
  readonly call: (call: Call, origin: string) => Promise<Answer>
  readonly now: () => number
  readonly random: () => number
  readonly sleep: Sleep
}

export function attemptTools(db: Database, queue: Queue, settings: Settings): AttemptTools {
  return {
    db,
    queue,
    settings,
    call: async (call, origin) => callReceiver(call, outsideOf(settings, origin)),
    now: Date.now,
    random: Math.random,
    sleep,
  }
}

/** Short: until the claim is made nothing is lost but time, and the sweep has the delivery. */
const claimPausesMs = [50, 250, 1000]

/** Long: what is not noted is sent again. The dispatcher keeps a second attempt away meanwhile. */
const notePausesMs = [20, 100, 500, 2000, 5000, 10_000, 20_000, 40_000, 60_000]

/** How long a delivery waits for its garment, which is being tagged anew and brings a new delivery when it ends. */
const supersededPauseMs = 30_000

/**
 * Makes one attempt, if it is still to be made: claim, call, note, enqueue the next. May run twice, and at the same time,
 * with one outcome. Throws on faults of ours; the lease then runs out and the sweep brings the delivery back.
 */
export async function attemptDelivery(message: DeliveryMessage, tools: AttemptTools): Promise<void> {
  const { db, settings, now } = tools
  const claimId = newId()
  const claim = await retryFault(() => claimAttempt(db, message, claimId, now()), claimPausesMs, tools.sleep)
  if (claim === null) return
  const { config, garment } = claim
  if (config === undefined || !config.enabled)
    return endWithoutAttempt(db, claim, config?.disabledReason || switchedOff, now())
  if (garment === undefined) return endWithoutAttempt(db, claim, 'The garment was deleted', now())
  if (garment.endedAt === null) return deferAttempt(db, claim, now() + supersededPauseMs)
  const payload = garmentPayload(garment, garment.endedAt, settings.PUBLIC_URL)
  const startedAt = now()
  const keys = { encryptionKey: settings.ENCRYPTION_KEY, nowMs: startedAt }
  const call = await buildCall(config, claim.delivery.id, payload, keys)
  const answer = await tools.call(call, garment.origin)
  await finish(claim, config, answer, startedAt, tools)
}

async function finish(claim: Claim, config: ConfigRow, answer: Answer, startedAt: number, tools: AttemptTools) {
  const { db, queue, settings, now } = tools
  const { delivery, attempt } = claim
  const { id, tenantId, redeliveredFrom } = delivery
  // Decided once, so that a note that is repeated says the same.
  const endedAt = now()
  const decision = decide({ attempt, redeliveredFrom, answer }, settings.WEBHOOK_RETRY_DELAYS, endedAt, tools.random())
  const noted = await retryFault(
    () => noteAttempt(db, claim, answer, decision, startedAt, endedAt),
    notePausesMs,
    tools.sleep,
  )
  log('info', 'delivery attempt', {
    tenant: tenantId,
    uuid: delivery.garmentUuid,
    delivery: id,
    attempt,
    status: answer.status,
    error: answer.error,
    duration_ms: answer.durationMs,
  })
  if (noted === null) return
  if (noted.nextAttemptAt !== null) {
    const delaySeconds = Math.ceil(Math.max(noted.nextAttemptAt - now(), 0) / 1000)
    await enqueue(queue, { tenantId, deliveryId: id, attempt: attempt + 1 } satisfies DeliveryMessage, { delaySeconds })
  }
  const { failingSince } = noted
  if (!answer.ok && failingSince !== null && isToBeDisabled(failingSince, delivery.createdAt, now()))
    await disableFailing(db, tenantId, failingSince, now())
}
