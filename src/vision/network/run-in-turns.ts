import { yieldToEventLoop } from '../image/yield-to-event-loop.ts'
import type { MemoryUse } from './network.ts'

/** Work that yields how much was done since it last did. */
export type Steps<Result> = Generator<number, Result>

/** Multiplications that take about 10 ms: a third of the longest run. */
export const workPerTurn = 300_000_000

export function finishAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * Yields to the event loop after each `maxWork`. If the work was `isLost` meanwhile, it is done again, this time
 * without yielding, so that it ends.
 */
export async function finishInTurns<Result>(
  start: () => Steps<Result>,
  maxWork: number,
  isLost = () => false,
): Promise<Result> {
  let steps = start()
  let limit = maxWork
  let work = 0
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    work += value
    if (work < limit) continue
    work = 0
    await yieldToEventLoop()
    if (!isLost()) continue
    steps = start()
    limit = Infinity
  }
}

/** After a loss, so many runs of the isolate, those of some three pictures, do not yield. */
const runsAfterLoss = 18

/**
 * Computes in memory that all pictures of an isolate share, and yields to the event loop after each `workPerTurn`. The
 * work is lost if another run has used the memory meanwhile: no run waits for another one, which might have been
 * cancelled. Where several pictures are looked at together, work would be lost all the time; the next runs are then
 * made without yielding.
 */
export async function runInTurns<Result>(use: MemoryUse, compute: () => Steps<Result>): Promise<Result> {
  const own = {}
  const start = () => {
    use.latest = own
    return compute()
  }
  if (use.runsAtOnce > 0) {
    use.runsAtOnce--
    return finishAtOnce(start())
  }
  return await finishInTurns(start, workPerTurn, () => {
    const isLost = use.latest !== own
    if (isLost) use.runsAtOnce = runsAfterLoss
    return isLost
  })
}
