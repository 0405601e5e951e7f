import type { TaggingDeps } from './deps.ts'
import type { Run } from './isolate-budget.ts'

const maxSlotWaitMs = 10_000

const slotPollMs = 10

/** False if the decoding slot was not free within the time that a run waits for it. */
export async function waitForSlot(run: Run, { now, sleep }: Pick<TaggingDeps, 'now' | 'sleep'>): Promise<boolean> {
  const deadline = now() + maxSlotWaitMs
  while (!run.takeSlot(now())) {
    if (now() >= deadline) return false
    await sleep(slotPollMs)
  }
  return true
}
