import { yieldToEventLoop } from '../image/yield-to-event-loop.ts'
import type { MemoryUse } from './network.ts'

/** Multiplications that take about 10 ms: a third of the longest run. */
export const workPerTurn = 300_000_000

/**
 * Computes in memory that all pictures of an isolate share, and yields to the event loop after each `workPerTurn`. If
 * another run has used the memory meanwhile, everything is computed again, this time without yielding. So no run waits
 * for another one, which might have been cancelled, and each ends.
 * @param compute yields how much it has computed since it last did
 */
export async function runInTurns<Result>(use: MemoryUse, compute: () => Generator<number, Result>): Promise<Result> {
  const own = {}
  use.latest = own
  const steps = compute()
  let work = 0
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    work += value
    if (work < workPerTurn) continue
    work = 0
    await yieldToEventLoop()
    if (use.latest !== own) return runAtOnce(use, compute)
  }
}

function runAtOnce<Result>(use: MemoryUse, compute: () => Generator<number, Result>): Result {
  use.latest = {}
  const steps = compute()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
