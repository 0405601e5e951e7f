import { claimStatement, leaseMs } from '../garments/transitions.ts'
import { newId } from '../platform/db/database.ts'
import type { TaggingDeps } from './deps.ts'
import type { QueuingGarment } from './find-queuing-garment.ts'

/** One run on a garment. */
export interface TaggingRun {
  /** The garment as read from the database, before it was claimed. */
  readonly found: QueuingGarment
  /** How long its message waited in the queue. Undefined if unknown, or if the message of a later try was delayed. */
  readonly waitedMs: number | undefined
  readonly claimId: string
  /** When the run claimed the garment or renewed its claim. Null before it has read a picture. */
  claimedAt: number | null
}

export const startRun = (found: QueuingGarment, waitedMs: number | undefined): TaggingRun => ({
  found,
  waitedMs: found.tries === 0 ? waitedMs : undefined,
  claimId: newId(),
  claimedAt: null,
})

/** The number of this try, the first being 1. */
export const triesOf = ({ found }: TaggingRun): number => found.tries + 1

/** Half of the lease, so that reading many pictures does not outlast it. */
const renewAfterMs = leaseMs / 2

/** Claims the garment, or renews the claim. Returns false if another run or upload has the garment. */
export async function claimGarment({ db, now }: Pick<TaggingDeps, 'db' | 'now'>, run: TaggingRun): Promise<boolean> {
  if (run.claimedAt !== null && run.claimedAt > now() - renewAfterMs) return true
  const claimed = await claimStatement(db, run.found, run.claimId, now())
  if (claimed.length === 0) return false
  run.claimedAt = now()
  return true
}

/** The garment as it must still be stored for a write of this run to take effect. */
export const expectedGarment = (run: TaggingRun) =>
  run.claimedAt === null ? run.found : { ...run.found, claimId: run.claimId, tries: triesOf(run) }
