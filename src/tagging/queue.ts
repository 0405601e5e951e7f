import { taggingMessage } from '../garments/turns.ts'
import { deadLetterHandler } from '../platform/queue/dead-letters.ts'
import { batchDeps } from './deps.ts'
import { runBatch } from './run-batch.ts'

export async function handleTaggingBatch(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  await runBatch(batch, batchDeps(env, ctx))
}

export const handleDeadTaggingBatch = deadLetterHandler('tagging', taggingMessage)
