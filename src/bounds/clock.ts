/** The isolate's time, in ms since the epoch, and its timers. */
export interface Clock {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
}
