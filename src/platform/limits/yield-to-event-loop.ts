const nextTimer = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 0))

/**
 * Gives other requests of the isolate their turn: decoding, tagging and parsing hold its only thread. A request needs
 * several turns of the event loop, to arrive, to be answered and to leave: after one timer it waited for three or four
 * stretches of work, after two timers for two, and further ones gained nothing.
 */
export async function yieldToEventLoop(): Promise<void> {
  await nextTimer()
  await nextTimer()
}

/** About 20 ms of parsing. A unit of work is about one character of input. */
const maxWorkAtOnce = 100_000

/** Counts completed work, and yields to other requests when due. */
export type YieldAfter = (work: number) => Promise<void>

/**
 * The one way to yield in a loop over input: work is counted, not timed, because the clock of a Worker stands still
 * while it computes. A loop awaits the returned function once for each of its steps.
 */
export function createYieldAfter(yieldNow = yieldToEventLoop): YieldAfter {
  let work = 0
  return async (more) => {
    work += more
    if (work < maxWorkAtOnce) return
    work = 0
    await yieldNow()
  }
}
