import { yieldToEventLoop } from '../../platform/limits/yield-to-event-loop.ts'
import type { MemoryUse } from './network.ts'

/** A computation that yields the amount of work done since its last yield. */
export type Steps<Result> = Generator<number, Result>

/** Multiplications per turn, which take about 20 ms. */
export const workPerTurn = 900_000_000

export function finishAtOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * Runs steps and yields to the event loop after each `maxWork`. If the work `isLost` meanwhile, it starts again without
 * yielding, so that it ends.
 * @param since work since the last yield, including earlier calls
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

/** Runs that do not yield after a loss: as many as about three pictures need. */
const runsAfterLoss = 18

/**
 * Computes in memory that all pictures of an isolate share, and yields after each `workPerTurn`. If another run
 * overwrote the memory meanwhile, the work is repeated, and the next runs do not yield. Runs do not wait for each
 * other, because a cancelled run would block the rest.
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
