import type { Database } from '../db/client.ts'
import type { TaggingMessage } from '../garment/tagging-message.ts'
import { releaseStatement, whenUnchanged, type Release } from '../garment/transitions.ts'
import { uploadTurns } from '../garment/turns/turn-limit.ts'
import { messagesOfTurns, passTurn, setTurns } from '../garment/turns/turns.ts'
import { enqueueAll } from '../queue/enqueue.ts'
import type { TaggedGarment } from './end-garment.ts'

interface ReleaseDeps {
  readonly db: Database
  readonly taggingQueue: Queue<TaggingMessage>
  readonly now: () => number
}

/**
 * Releases a garment for its next try and gives its turn to the next one of its tenant, so that a picture that cannot
 * be fetched does not hold up the others. Safe to repeat.
 */
export async function releaseGarment(
  { db, taggingQueue, now }: ReleaseDeps,
  garment: TaggedGarment,
  next: Release,
): Promise<void> {
  const { tenantId, uuid, pictureId } = garment
  // A try has its own mark: what an earlier one has begun is not sent again.
  const by = `${pictureId} ${next.tries}`
  const turns = passTurn({ tenantId, uuid, pictureId, by }, uploadTurns, now())
  const [[counted]] = await db.batch([
    setTurns(db, turns, tenantId, whenUnchanged(db, garment)),
    releaseStatement(db, garment, next),
  ])
  await enqueueAll(taggingQueue, messagesOfTurns(tenantId, counted?.turns, by))
}
