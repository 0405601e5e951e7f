import { and, eq } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { log } from '../log.ts'
import { enqueue } from '../queue/enqueue.ts'
import { done, settleEach, type Outcome } from '../queue/settle.ts'
import { endGarment, unprocessable } from './end-garment.ts'
import { taggingMessage, type TaggingMessage } from '../garment/tagging-message.ts'
import { tagGarment } from './tag-garment.ts'

/** An ordinary run takes less. */
const patienceMs = 500

/** Each may hold a picture in the end, so there must not be very many. */
const maxSlowRuns = 16
let slowRuns = 0

/**
 * A run that waits for a slow image host does not hold up the garments behind it: its message is settled, and it goes on
 * in the background. Its lease and the sweep bring the garment back should it die there.
 */
export async function handleTaggingBatch(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  await settleEach(batch, taggingMessage, async (message) => {
    const run = tagGarment(env, message)
    const outcome = await Promise.race([run, patience()])
    if (outcome !== undefined) return outcome
    if (slowRuns >= maxSlowRuns) return await run
    slowRuns++
    ctx.waitUntil(finishSlowRun(env, message, run).finally(() => slowRuns--))
    return done
  })
}

const patience = () => new Promise<undefined>((resolve) => setTimeout(resolve, patienceMs))

async function finishSlowRun(env: Env, message: TaggingMessage, run: Promise<Outcome>): Promise<void> {
  try {
    const outcome = await run
    if (outcome.retry) await enqueue(env.TAGGING_QUEUE, message, { delaySeconds: outcome.delaySeconds ?? 0 })
  } catch (error) {
    log('error', 'slow run failed', { ...message, error })
  }
}

/** What the queue gave up on ends `failed`, so that its client is told. */
export async function handleDeadTaggingBatch(batch: MessageBatch, env: Env): Promise<void> {
  await settleEach(batch, taggingMessage, (message) => failGarment(env, message))
}

async function failGarment(env: Env, { tenantId, uuid }: TaggingMessage): Promise<Outcome> {
  const db = openDatabase(env.DB)
  const [garment] = await db
    .select({ tenantId: garments.tenantId, uuid: garments.uuid, claimId: garments.claimId })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  if (garment !== undefined) await endGarment(db, env.WEBHOOK_QUEUE, garment, unprocessable, Date.now())
  return done
}
