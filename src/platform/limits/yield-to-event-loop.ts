const nextTimer = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 0))

/**
 * Lets other requests of the isolate run. Waits for two timers, because a request needs several turns of the event
 * loop.
 */
export async function yieldToEventLoop(): Promise<void> {
  await nextTimer()
  await nextTimer()
}

/** About 20 ms of parsing, in characters. */
const maxWorkAtOnce = 100_000

/** Counts completed work and yields to other requests when due. */
export type YieldAfter = (work: number) => Promise<void>

/**
 * Creates a function that a loop awaits in each step. It counts work, because a Worker's clock stands still during
 * work.
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
