import { yieldToEventLoop } from '../../platform/limits/yield-to-event-loop.ts'
import type { MemoryUse } from './network.ts'

/** Work that yields how much was done since it last did. */
export type Steps<Result> = Generator<number, Result>

/** Multiplications that take about 20 ms. */
export const workPerTurn = 900_000_000

export function finishAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * Yields to the event loop after each `maxWork`. If the work was `isLost` meanwhile, it is done again, this time
 * without yielding, so that it ends.
 * @param since work since the last yield, the part of earlier calls included
 */
export async function finishInTurns<Result>(
  start: () => Steps<Result>,
  maxWork: number,
  since = { work: 0 },
  isLost = () => false,
): Promise<Result> {
  let steps = start()
  let limit = maxWork
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    since.work += value
    if (since.work < limit) continue
    since.work = 0
    await yieldToEventLoop()
    if (!isLost()) continue
    steps = start()
    limit = Infinity
  }
}

/** After a loss, so many runs of the isolate, those of some three pictures, do not yield within. */
const runsAfterLoss = 18

/**
 * Computes in memory that all pictures of an isolate share, and yields to the event loop after each `workPerTurn` of
 * all runs together. The work is lost if another run has used the memory meanwhile: no run waits for another one, which
 * might have been cancelled. Where several pictures are looked at together, work would be lost all the time; the next
 * runs then yield before they begin, and not within.
 */
export async function runInTurns<Result>(use: MemoryUse, compute: () => Steps<Result>): Promise<Result> {
  const turn = {}
  const start = () => {
    use.latest = turn
    return compute()
  }
  if (use.runsAtOnce > 0) {
    use.runsAtOnce--
    await yieldToEventLoop()
    return finishAtOnce(start())
  }
  return await finishInTurns(start, workPerTurn, use, () => {
    const isLost = use.latest !== turn
    if (isLost) use.runsAtOnce = runsAfterLoss
    return isLost
  })
}
