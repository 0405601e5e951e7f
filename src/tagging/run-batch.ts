import { taggingMessage, type TaggingMessage } from '../garments/turns.ts'
import { log } from '../log.ts'
import { writeMetric } from '../metrics.ts'
import { enqueue, enqueueEach } from '../platform/queue/enqueue.ts'
import { done, type Outcome, settleEach } from '../platform/queue/settle.ts'
import type { BatchDeps } from './deps.ts'
import type { StalledHosts } from './run-places.ts'
import { tagGarment } from './tag-garment.ts'

/** The delay before a run that failed in the background by a fault of ours is repeated. */
const faultDelaySeconds = 30

export interface InvocationDeps extends BatchDeps {
  /** Shared by all batches of the isolate. */
  readonly stalledHosts: StalledHosts
  readonly waitUntil: (work: Promise<void>) => void
}

/**
 * Makes the runs of a batch. A message is acknowledged when its run has ended, so that the queue sees what is to be
 * done and adds consumers. Only a run whose image host does not answer continues in the background, where the platform
 * gives it about 30 s: it must not hold up the others. Should it be cut off there, the sweep enqueues its garment
 * again.
 *
 * A run that is to be made later becomes a new message: the queue's own retries are for faults of ours, after which a
 * message is a dead letter.
 */
export async function runBatch(batch: MessageBatch, deps: InvocationDeps): Promise<void> {
  const startedAt = deps.now()
  const later: MessageSendRequest<TaggingMessage>[] = []
  const messages = slowHostsLast(batch.messages, deps)
  await settleEach({ messages }, taggingMessage, async (message, { sentAtMs }) => {
    const waitedMs = deps.now() - sentAtMs
    let onStall = () => {}
    const stall = new Promise<void>((resolve) => (onStall = resolve))
    const run = tagGarment({ ...deps, db: deps.databaseOf(message.tenantId) }, message, { waitedMs, onStall })
    const outcome = await Promise.race([run, stall])
    if (outcome === undefined) deps.waitUntil(finishInBackground(deps, message, run))
    else if (outcome.retry) later.push({ body: message, delaySeconds: outcome.delaySeconds ?? 0 })
    return done
  })
  await enqueueEach(deps.taggingQueue, later)
  const durationMs = deps.now() - startedAt
  writeMetric(deps.metrics, { event: 'tagging batch', outcome: 'ok', count: messages.length, durationMs })
}

/** Runs of tenants whose hosts stall come last, so that the others find places. */
function slowHostsLast(messages: readonly Message[], { stalledHosts, now }: InvocationDeps): readonly Message[] {
  const patienceWith = ({ body }: Message) => {
    const parsed = taggingMessage.safeParse(body)
    return parsed.success ? stalledHosts.patience(parsed.data.tenantId, now()) : 0
  }
  const patience = new Map(messages.map((message) => [message, patienceWith(message)]))
  return messages.toSorted((a, b) => (patience.get(b) ?? 0) - (patience.get(a) ?? 0))
}

async function finishInBackground(deps: BatchDeps, message: TaggingMessage, run: Promise<Outcome>): Promise<void> {
  const outcome = await run.catch((error: unknown): Outcome => {
    log('error', 'tagging run failed', { tenant: message.tenantId, uuid: message.uuid, error })
    return { retry: true, delaySeconds: faultDelaySeconds }
  })
  if (outcome.retry) await enqueue(deps.taggingQueue, message, { delaySeconds: outcome.delaySeconds ?? 0 })
}
