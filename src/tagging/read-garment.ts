import { notProcessed } from '../garments/failure.ts'
import type { PictureResult } from '../garments/pictures/garment-picture.ts'
import { log } from '../log.ts'
import type { TaggedPicture } from '../vision/tag-picture.ts'
import type { TaggingDeps } from './deps.ts'
import { addReading, findNextTask, firstFailure, type Readings, startReadings } from './picture-plan.ts'
import { readPicture, type Stop } from './read-picture.ts'
import { type TaggingRun, triesOf } from './tagging-run.ts'

export type CompleteReading = Readings & { readonly measured: TaggedPicture }

export type GarmentReading =
  | ({ readonly status: 'complete' } & CompleteReading)
  | { readonly status: 'failed'; readonly failure: string; readonly results: readonly PictureResult[] }
  | Stop

/**
 * Reads a garment's pictures one at a time. The measured picture comes last, because it needs the other pictures'
 * results.
 */
export async function readGarment(deps: TaggingDeps, run: TaggingRun): Promise<GarmentReading> {
  // A run that reported nothing has died, for example from lack of memory. Age alone fails no garment.
  if (triesOf(run) > deps.settings.TAGGING_RETRY_DELAYS.length + 1)
    return { status: 'failed', failure: notProcessed, results: [] }
  try {
    // Loaded before the decoding slot is taken, because the slot's time is for one picture.
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
