import { newId } from '../platform/db/database.ts'
import type { QueuingGarment } from './find-queuing-garment.ts'

export interface TaggingRun {
  /** The garment as read from the database, before it was claimed. */
  readonly found: QueuingGarment
  /** Time that the message waited in the queue. Undefined for later tries, which are delayed on purpose. */
  readonly waitedMs: number | undefined
  readonly claimId: string
  /** When the run last claimed the garment. Null before it has read a picture. */
  claimedAt: number | null
}

export const startRun = (found: QueuingGarment, waitedMs: number | undefined): TaggingRun => ({
  found,
  waitedMs: found.tries === 0 ? waitedMs : undefined,
  claimId: newId(),
  claimedAt: null,
})

/** Returns the number of this try, from 1. */
export const triesOf = ({ found }: TaggingRun): number => found.tries + 1

/** Returns the garment as the database must still have it, so that this run may write. */
export const expectedGarment = (run: TaggingRun) =>
  run.claimedAt === null ? run.found : { ...run.found, claimId: run.claimId, tries: triesOf(run) }
