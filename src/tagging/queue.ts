import { taggingMessage, type TaggingMessage } from '../garment/tagging-message.ts'
import { log } from '../log.ts'
import { countDeadLetter } from '../usage/count-dead-letter.ts'
import { enqueue, enqueueAll } from '../queue/enqueue.ts'
import { done, settleEach, type Outcome } from '../queue/settle.ts'
import { taggingDeps } from './deps.ts'
import { tagGarment } from './tag-garment.ts'

/** How long a batch waits for its runs. Whoever takes longer, such as a slow image host, must not hold up the queue. */
const patienceMs = 100

/**
 * Starts the runs of a batch. A run that takes longer continues in the background, where the platform gives it about 30
 * s. If it is cut off or crashes there, the sweep enqueues its garment again.
 *
 * A run that is to be made later becomes a new message: the queue's own retries are for faults of ours, after which a
 * message is a dead letter.
 */
export async function handleTaggingBatch(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  const deps = taggingDeps(env)
  const later: MessageSendRequest<TaggingMessage>[] = []
  await settleEach(batch, taggingMessage, async (message) => {
    const run = tagGarment(deps, message)
    const outcome = await Promise.race([run, deps.sleep(patienceMs)])
    if (outcome === undefined) ctx.waitUntil(finishInBackground(env, message, run))
    else if (outcome.retry) later.push({ body: message, delaySeconds: outcome.delaySeconds ?? 0 })
    return done
  })
  if (later.length > 0) await enqueueAll(env.TAGGING_QUEUE, later)
}

async function finishInBackground(env: Env, message: TaggingMessage, run: Promise<Outcome>): Promise<void> {
  try {
    const outcome = await run
    if (outcome.retry) await enqueue(env.TAGGING_QUEUE, message, { delaySeconds: outcome.delaySeconds ?? 0 })
  } catch (error) {
    log('error', 'tagging run failed', { tenant: message.tenantId, uuid: message.uuid, error })
  }
}

/** Only reports them: the garment stays due, and the sweep enqueues it again. */
export async function handleDeadTaggingBatch(batch: MessageBatch, env: Pick<Env, 'DB'>): Promise<void> {
  await settleEach(batch, taggingMessage, async ({ tenantId: tenant, uuid }) => {
    log('error', 'tagging message gave up', { tenant, uuid })
    await countDeadLetter(env, 'tagging', Date.now())
    return done
  })
}
