import { notProcessed } from '../garments/failure.ts'
import type { PictureResult } from '../garments/pictures/garment-picture.ts'
import { log } from '../log.ts'
import type { TaggedPicture } from '../vision/tag-picture.ts'
import type { TaggingDeps } from './deps.ts'
import { addReading, findNextTask, firstFailure, type Readings, startReadings } from './picture-plan.ts'
import { readPicture, type Stop } from './read-picture.ts'
import { type TaggingRun, triesOf } from './tagging-run.ts'

/** Readings of a garment's pictures, one of which was measured. */
export type CompleteReading = Readings & { readonly measured: TaggedPicture }

export type GarmentReading =
  | ({ readonly status: 'complete' } & CompleteReading)
  | { readonly status: 'failed'; readonly failure: string; readonly results: readonly PictureResult[] }
  | Stop

/**
 * Reads a garment's pictures one after the other, so that only one is in memory. The picture that is measured comes
 * last, when it is known what the others show.
 */
export async function readGarment(deps: TaggingDeps, run: TaggingRun): Promise<GarmentReading> {
  // If all tries are used up, the last run died without reporting anything, for example because it ran out of memory.
  // Age alone ends nothing: an outage of any length costs no garment a try.
  if (triesOf(run) > deps.settings.TAGGING_RETRY_DELAYS.length + 1)
    return { status: 'failed', failure: notProcessed, results: [] }
  try {
    // Before the decoding slot is taken, whose time is for one picture only.
    await deps.loadNetwork()
  } catch (error) {
    log('error', 'network not read', { tenant: run.found.tenantId, uuid: run.found.uuid, error })
    return { status: 'no_room' }
  }
  const readings = startReadings(run.found)
  for (let task = findNextTask(readings); task !== undefined; task = findNextTask(readings)) {
    const reading = await readPicture(deps, run, task)
    if (reading.status === 'no_room' || reading.status === 'lost' || reading.status === 'try_again') return reading
    addReading(readings, task, reading)
    if (reading.status === 'measured') return { status: 'complete', measured: reading.tagged, ...readings }
  }
  return { status: 'failed', failure: firstFailure(readings), results: readings.results }
}
