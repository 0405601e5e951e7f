import { storeRetry } from '../garments/failure.ts'
import { releaseStatement } from '../garments/transitions.ts'
import { minTurns, startTurns } from '../garments/turns.ts'
import { runBatch } from '../platform/db/database.ts'
import { ImageError } from '../platform/outbound/fetch-image.ts'
import { enqueueAll, queueGraceMs } from '../platform/queue/enqueue.ts'
import type { TaggingDeps } from './deps.ts'
import type { Stop } from './read-picture.ts'
import { expectedGarment, type TaggingRun, triesOf } from './tagging-run.ts'

/**
 * Releases a garment for its next try. If the try failed, its turn goes to the next garment of its tenant, so that a
 * picture that cannot be fetched does not hold up the others. Without a claim, a try that found no room changes
 * nothing. Safe to repeat.
 */
export async function releaseGarment(
  { db, taggingQueue, now }: Pick<TaggingDeps, 'db' | 'taggingQueue' | 'now'>,
  run: TaggingRun,
  stop: Exclude<Stop, { readonly status: 'lost' }>,
): Promise<void> {
  const garment = expectedGarment(run)
  if (stop.status === 'no_room') {
    const release = { tries: run.found.tries, dueAt: now() + queueGraceMs }
    if (run.claimedAt !== null) await releaseStatement(db, garment, release)
    return
  }
  const [tries, nextTryAt] = [triesOf(run), now() + stop.delaySeconds * 1000]
  const retry = storeRetry(stop.error instanceof ImageError ? stop.error : undefined, { tries, nextTryAt })
  const { turns } = await runBatch(db, {
    released: releaseStatement(db, garment, { tries, dueAt: nextTryAt + queueGraceMs, retry }),
    turns: startTurns(garment.tenantId, minTurns, now()),
  })
  await enqueueAll(taggingQueue, turns)
}
