import type { Ending } from '../garments/transitions.ts'
import type { TaggingDeps } from './deps.ts'
import { endGarment } from './end-garment.ts'
import type { GarmentReading } from './read-garment.ts'
import { releaseGarment } from './release-garment.ts'
import { storeResult } from './store-result.ts'
import { expectedGarment, type TaggingRun } from './tagging-run.ts'

/** `fault`: the storage or the database failed. */
export type StoredEnd = { readonly status: 'stored' } | { readonly status: 'fault'; readonly error: unknown }

/** Stores how a run ended: the garment's result, its failure, or its release for another try. Safe to repeat. */
export async function endRun(deps: TaggingDeps, run: TaggingRun, reading: GarmentReading): Promise<StoredEnd> {
  try {
    if (reading.status === 'lost') return { status: 'stored' }
    const garment = { ...expectedGarment(run), waitedMs: run.waitedMs }
    if (reading.status === 'no_room' || reading.status === 'try_again') {
      await releaseGarment(deps, run, reading)
      return { status: 'stored' }
    }
    const ending: Ending =
      reading.status === 'complete'
        ? await storeResult(deps, garment, reading)
        : { status: 'failed', failure: reading.failure, pictures: reading.results }
    await endGarment(deps, garment, ending, deps.now())
    return { status: 'stored' }
  } catch (error) {
    return { status: 'fault', error }
  }
}
