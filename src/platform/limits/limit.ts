import { type Clock, systemClock } from '../../time.ts'

interface Limits {
  /** Callers of one key that act at a time. */
  readonly perKey: number
  /** Callers of all keys that act at a time. */
  readonly inAll?: number
  /** Callers of one key that wait. */
  readonly waitingPerKey?: number
  /** Callers of all keys that wait. */
  readonly waitingInAll?: number
  /** How long a caller waits. With 0 nobody waits. */
  readonly maxWaitMs: number
  /** After this time a caller stops counting, because the platform may have cancelled it without running `finally`. */
  readonly maxActMs: number
  /** Creates the error for a caller that finds too many others waiting, or has waited too long. */
  readonly busy: () => Error
}

interface Caller {
  readonly key: string
  /** When the caller no longer counts. */
  until: number
}

const pollMs = 20
const maxPollMs = 500

/**
 * Limits how many callers act at a time in this isolate. Each caller polls on its own timer, because a promise that a
 * cancelled invocation should resolve stays open forever. All callers of a key together poll as often as a single
 * caller of another key, so a key with many callers does not starve the others.
 */
export function createLimit(
  { perKey, inAll = Infinity, waitingPerKey = Infinity, waitingInAll = Infinity, ...limits }: Limits,
  { now, sleep }: Clock = systemClock,
) {
  const acting = new Set<Caller>()
  const waiting = new Set<Caller>()

  /** Adds a caller to those that act, in the same step in which there is room, so that no other caller takes it. */
  function start(key: string): Caller | undefined {
    forgetExpired(acting, now())
    if (acting.size >= inAll || countKey(acting, key) >= perKey) return undefined
    const caller = { key, until: now() + limits.maxActMs }
    acting.add(caller)
    return caller
  }

  async function waitToStart(key: string, waitMs: number): Promise<Caller> {
    let started = start(key)
    if (started !== undefined) return started
    forgetExpired(waiting, now())
    if (waiting.size >= waitingInAll || countKey(waiting, key) >= waitingPerKey) throw limits.busy()
    const caller = { key, until: now() + waitMs }
    waiting.add(caller)
    try {
      for (; started === undefined; started = start(key)) {
        if (now() >= caller.until) throw limits.busy()
        await sleep(Math.min(pollMs * countKey(waiting, key), maxPollMs))
      }
      return started
    } finally {
      waiting.delete(caller)
    }
  }

  /** `act` may call `extend` while it makes progress, so that it counts for another `maxActMs`. */
  return async function withLimit<T>(
    key: string,
    act: (extend: () => void) => Promise<T>,
    waitMs = limits.maxWaitMs,
  ): Promise<T> {
    const caller = await waitToStart(key, waitMs)
    try {
      return await act(() => void (caller.until = now() + limits.maxActMs))
    } finally {
      acting.delete(caller)
    }
  }
}

function forgetExpired(callers: Set<Caller>, nowMs: number): void {
  for (const caller of callers) if (caller.until <= nowMs) callers.delete(caller)
}

function countKey(callers: ReadonlySet<Caller>, key: string): number {
  let count = 0
  for (const caller of callers) if (caller.key === key) count++
  return count
}
