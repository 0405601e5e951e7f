export type Sleep = (ms: number) => Promise<void>

export const sleep: Sleep = async (ms) => await new Promise((resolve) => setTimeout(resolve, ms))

/** The isolate's time, in ms since the epoch, and its timers. */
export interface Clock {
  readonly now: () => number
  readonly sleep: Sleep
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep,
}
