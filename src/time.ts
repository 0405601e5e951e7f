export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Inside the service, times are milliseconds since the epoch; in its answers they are ISO 8601, in UTC. */
export const toIso = (ms: number): string => new Date(ms).toISOString()

/** The day in UTC: `2026-11-21`. */
export const dayOf = (ms: number): string => toIso(ms).slice(0, 10)

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
