import { storeRetry } from '../garments/failure.ts'
import { type Ending, releaseStatement } from '../garments/transitions.ts'
import { minTurns, startTurns } from '../garments/turns.ts'
import { runBatch } from '../platform/db/database.ts'
import { ImageError } from '../platform/outbound/fetch-image.ts'
import { enqueueAll, queueGraceMs } from '../platform/queue/enqueue.ts'
import { retryFault } from '../platform/queue/settle.ts'
import type { TaggingDeps } from './deps.ts'
import { endGarment } from './end-garment.ts'
import type { GarmentReading } from './read-garment.ts'
import type { Stop } from './read-picture.ts'
import { storeResult } from './store-result.ts'
import { expectedGarment, type TaggingRun, triesOf } from './tagging-run.ts'

/** Pauses after failed writes, so that a short fault does not cost the whole run. */
const faultPausesMs = [50, 250, 1000, 3000, 6000]

/**
 * Stores how a run ended: the garment's result, its failure, or its release for another try. If storing keeps failing,
 * releases the garment without counting the try and throws.
 */
export async function endRun(deps: TaggingDeps, run: TaggingRun, reading: GarmentReading): Promise<void> {
  try {
    await retryFault(async () => await storeEnd(deps, run, reading), faultPausesMs, deps.sleep)
  } catch (error) {
    await releaseGarment(deps, run, { status: 'no_room' })
    throw error
  }
}

async function storeEnd(deps: TaggingDeps, run: TaggingRun, reading: GarmentReading): Promise<void> {
  if (reading.status === 'lost') return
  if (reading.status === 'no_room' || reading.status === 'try_again') return await releaseGarment(deps, run, reading)
  const garment = { ...expectedGarment(run), waitedMs: run.waitedMs }
  const ending: Ending =
    reading.status === 'complete'
      ? await storeResult(deps, garment, reading)
      : { status: 'failed', failure: reading.failure, pictures: reading.results }
  await endGarment(deps, garment, ending, deps.now())
}

/**
 * Releases a garment for its next try. After a failed try, the next garment of the tenant gets the turn, so that an
 * unreachable image does not hold up the others. A try that found no room is not counted. Safe to repeat.
 */
async function releaseGarment(
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
    turns: startTurns(db, garment.tenantId, minTurns, now()),
  })
  await enqueueAll(taggingQueue, turns)
}
