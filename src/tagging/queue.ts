import { taggingMessage, type TaggingMessage } from '../garments/turns.ts'
import { log } from '../log.ts'
import { writeMetric } from '../metrics.ts'
import { deadLetterHandler } from '../platform/queue/dead-letters.ts'
import { enqueueEach } from '../platform/queue/enqueue.ts'
import { done, type Outcome, settleEach } from '../platform/queue/settle.ts'
import { type BatchDeps, batchDeps } from './deps.ts'
import { createRunPlaces } from './run-places.ts'
import { tagGarment } from './tag-garment.ts'

const faultDelaySeconds = 30

/** Runs start only within this time, so that a batch stays below the CPU limit of `wrangler.toml`. */
const maxStartMs = 180_000

export async function handleTaggingBatch(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  await tagBatch(batch, batchDeps(env, ctx))
}

export const handleDeadTaggingBatch = deadLetterHandler('tagging', taggingMessage)

/**
 * Tags the garments of a batch. A message is acknowledged when its run has ended, so that the queue sees the remaining
 * work and adds consumers. A run whose image host does not answer continues in the background, for about 30 s. If it is
 * cut off, the sweep enqueues its garment again.
 *
 * A postponed run becomes a new message, because a message that the queue retries too often becomes a dead letter.
 */
export async function tagBatch(batch: MessageBatch, deps: BatchDeps): Promise<void> {
  const startedAt = deps.now()
  const places = createRunPlaces(deps.downloads, deps)
  const postponedRuns: MessageSendRequest<TaggingMessage>[] = []
  await settleEach(batch, taggingMessage, async (message, { sentAtMs }) => {
    const waitedMs = deps.now() - sentAtMs
    const place = await places.takePlace(message.tenantId)
    if (place === null || deps.now() - startedAt > maxStartMs) {
      place?.leave()
      postponedRuns.push({ body: message })
      return done
    }
    const runDeps = { ...deps, db: deps.databaseOf(message.tenantId), place }
    const run = tagGarment(runDeps, message, waitedMs).finally(place.leave)
    const outcome = await Promise.race([run, place.untilStalled()])
    if (outcome === undefined) deps.waitUntil(finishInBackground(deps.taggingQueue, message, run))
    else if (outcome.retry) postponedRuns.push(toRequest(message, outcome))
    return done
  })
  await enqueueEach(deps.taggingQueue, postponedRuns)
  const durationMs = deps.now() - startedAt
  writeMetric(deps.metrics, { event: 'tagging batch', outcome: 'ok', count: batch.messages.length, durationMs })
}

const toRequest = (body: TaggingMessage, { delaySeconds = 0 }: Extract<Outcome, { readonly retry: true }>) => ({
  body,
  delaySeconds,
})

async function finishInBackground(
  queue: Queue<TaggingMessage>,
  message: TaggingMessage,
  run: Promise<Outcome>,
): Promise<void> {
  const outcome = await run.catch((error: unknown): Outcome => {
    log('error', 'tagging run failed', { tenant: message.tenantId, uuid: message.uuid, error })
    return { retry: true, delaySeconds: faultDelaySeconds }
  })
  if (outcome.retry) await enqueueEach(queue, [toRequest(message, outcome)])
}
