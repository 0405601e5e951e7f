import { taggingMessage } from '../garments/turns.ts'
import { deadLetterHandler } from '../platform/queue/dead-letters.ts'
import { stalledHosts, taggingDeps } from './deps.ts'
import { runBatch } from './run-batch.ts'

export async function handleTaggingBatch(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  const waitUntil = (work: Promise<void>) => ctx.waitUntil(work)
  await runBatch(batch, { ...taggingDeps(env), stalledHosts, waitUntil })
}

export const handleDeadTaggingBatch = deadLetterHandler('tagging', taggingMessage)
