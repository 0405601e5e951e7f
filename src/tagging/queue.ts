import { taggingMessage } from '../garments/turns.ts'
import { log } from '../log.ts'
import { countDeadLetter } from '../platform/queue/count-dead-letter.ts'
import { done, settleEach } from '../platform/queue/settle.ts'
import { stalledHosts, taggingDeps } from './deps.ts'
import { runBatch } from './run-batch.ts'

export async function handleTaggingBatch(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  const waitUntil = (work: Promise<void>) => ctx.waitUntil(work)
  await runBatch(batch, { ...taggingDeps(env), stalledHosts, waitUntil })
}

/** Only reports them: the garment stays due, and the sweep enqueues it again. */
export async function handleDeadTaggingBatch(batch: MessageBatch, env: Pick<Env, 'DB'>): Promise<void> {
  await settleEach(batch, taggingMessage, async ({ tenantId: tenant, uuid }) => {
    log('error', 'tagging message gave up', { tenant, uuid })
    await countDeadLetter(env, 'tagging', Date.now())
    return done
  })
}
