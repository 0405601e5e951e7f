import { failureCode } from '../garments/failure.ts'
import { makeDueStatement } from '../garments/transitions.ts'
import type { TaggingMessage } from '../garments/turns.ts'
import { log } from '../log.ts'
import { writeMetric } from '../metrics.ts'
import { done, type Outcome } from '../platform/queue/settle.ts'
import type { TaggingDeps } from './deps.ts'
import { endRun } from './end-run.ts'
import { findQueuingGarment } from './find-queuing-garment.ts'
import { readGarment } from './read-garment.ts'
import { startRun } from './tagging-run.ts'

/** The outcome of a run without memory, slot or network. The garment is unchanged and loses no try. */
const postponed: Outcome = { retry: true, delaySeconds: 2 }

/**
 * Finds a garment, reads its pictures and stores how the run ended. Safe to run twice, even concurrently. Throws if the
 * end cannot be stored, so that the queue delivers the message again. `waitedMs` is the message's time in the queue.
 */
export async function tagGarment(deps: TaggingDeps, message: TaggingMessage, waitedMs?: number): Promise<Outcome> {
  const { now } = deps
  const startedAt = now()
  const found = await findQueuingGarment(deps.db, message)
  if (found === null) return done
  const databaseMs = now() - startedAt
  if (found.isPaused === 1) {
    await makeDueStatement(deps.db, found, now())
    return done
  }
  const run = startRun(found, waitedMs)
  const reading = await readGarment(deps, run)
  await endRun(deps, run, reading)
  if (reading.status === 'lost') return done
  if (reading.status === 'no_room') return postponed
  if (reading.status === 'try_again') return { retry: true, delaySeconds: reading.delaySeconds }
  const { tenantId, uuid } = found
  const durationMs = now() - startedAt
  const outcome = reading.status === 'complete' ? 'complete' : failureCode(reading.failure)
  const { waitedMs: waited } = run
  writeMetric(deps.metrics, { event: 'garment', outcome, tenantId, durationMs, waitedMs: waited, databaseMs })
  log('info', 'garment tagged', { tenant: tenantId, uuid, status: reading.status, duration_ms: durationMs })
  return done
}
