/** How many attempts one object makes at a time, and how many in a row were quick since that changed. */
export interface Concurrency {
  readonly limit: number
  readonly quick: number
}

export const firstConcurrency: Concurrency = { limit: 4, quick: 0 }

/**
 * An invocation may wait on six connections at a time. An attempt has one open at a time: first to the database, then
 * to the receiver, then to the database again. So six attempts never wait for each other.
 */
const maxConcurrency = 6

/** One slow answer does not hold up all others. */
const minConcurrency = 2

/** A slower receiver gains nothing from more concurrent requests. */
const quickMs = 1000

interface Answered {
  readonly ok: boolean
  readonly durationMs: number
}

/** Grows by one after as many quick answers in a row as attempts run at a time, and halves after any other. */
export function nextConcurrency({ limit, quick }: Concurrency, { ok, durationMs }: Answered): Concurrency {
  if (!ok || durationMs > quickMs) return { limit: Math.max(Math.floor(limit / 2), minConcurrency), quick: 0 }
  if (quick + 1 < limit || limit === maxConcurrency) return { limit, quick: quick + 1 }
  return { limit: limit + 1, quick: 0 }
}

/** Helper objects of a quick endpoint: 24 concurrent attempts in all. */
const helpers = 3

/**
 * The number of waiting attempts above which helpers are used: about a second's work, which is not worth a call to
 * another object.
 */
const busyWaiting = 60

interface Load {
  readonly limit: number
  readonly waiting: number
  /** How many attempts came while others helped. */
  readonly turn: number
}

/**
 * The number of the helper that takes an attempt, 0 for the endpoint's own object. The endpoint's own object keeps its
 * share, so that it can still measure how quick the receiver is. Helpers are used only while it runs at full
 * concurrency.
 */
export function helperOf({ limit, waiting, turn }: Load): number {
  return limit === maxConcurrency && waiting >= busyWaiting ? turn % (helpers + 1) : 0
}
