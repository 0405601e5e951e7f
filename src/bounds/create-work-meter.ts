import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** About 20 ms of parsing. A unit of work is about one character of input. */
const maxWorkAtOnce = 100_000

/** Counts completed work, and yields to other requests when due. */
export type SpendWork = (work: number) => Promise<void>

/**
 * The one way to yield in a loop over input: work is counted, not timed, because the clock of a Worker stands still
 * while it computes. A loop awaits the returned function once for each of its steps.
 */
export function createWorkMeter(yieldNow = yieldToEventLoop): SpendWork {
  let work = 0
  return async (more) => {
    work += more
    if (work < maxWorkAtOnce) return
    work = 0
    await yieldNow()
  }
}
