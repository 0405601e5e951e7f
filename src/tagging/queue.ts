import { and, eq } from 'drizzle-orm'
import { openDatabase } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import type { Bindings } from '../env.ts'
import { done, settleEach, type Outcome } from '../queue/settle.ts'
import { endGarment, unprocessable } from './end-garment.ts'
import { taggingMessage, type TaggingMessage } from './message.ts'
import { tagGarment } from './tag-garment.ts'

export async function handleTaggingBatch(batch: MessageBatch, env: Bindings): Promise<void> {
  await settleEach(batch, taggingMessage, (message) => tagGarment(env, message))
}

/** What the queue gave up on ends `failed`, so that its client is told. */
export async function handleDeadTaggingBatch(batch: MessageBatch, env: Bindings): Promise<void> {
  await settleEach(batch, taggingMessage, (message) => failGarment(env, message))
}

async function failGarment(env: Bindings, { tenantId, uuid }: TaggingMessage): Promise<Outcome> {
  const db = openDatabase(env.DB)
  const [garment] = await db
    .select({ tenantId: garments.tenantId, uuid: garments.uuid, claimId: garments.claimId })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  if (garment !== undefined) await endGarment(db, env.WEBHOOK_QUEUE, garment, unprocessable, Date.now())
  return done
}
