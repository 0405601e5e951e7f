import { type Clock, systemClock } from '../../time.ts'

interface Limits {
  /** Maximum number of running callers per key. */
  readonly perKey: number
  /** Maximum number of running callers in all. */
  readonly inAll?: number
  /** Maximum number of waiting callers per key. */
  readonly waitingPerKey?: number
  /** Maximum number of waiting callers in all. */
  readonly waitingInAll?: number
  /** Maximum wait of a caller. 0 means that callers do not wait. */
  readonly maxWaitMs: number
  /** After this time a caller stops counting, because a cancelled invocation runs no `finally`. */
  readonly maxActMs: number
  /** Creates the error for a caller that is refused or has waited too long. */
  readonly busy: () => Error
}

interface Caller {
  readonly key: string
  until: number
}

const pollMs = 20
const maxPollMs = 500

/**
 * Limits how many callers act at a time in this isolate. Callers poll, because a cancelled invocation resolves no
 * promise. The callers of a key together poll as often as one caller of another key, so that no key starves others.
 */
export function createLimit(
  { perKey, inAll = Infinity, waitingPerKey = Infinity, waitingInAll = Infinity, ...limits }: Limits,
  { now, sleep }: Clock = systemClock,
) {
  const acting = new Set<Caller>()
  const waiting = new Set<Caller>()

  /** Starts a caller if there is room. Check and start are one step, so that no other caller takes the place. */
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

  /** `act` calls `extend` to count for another `maxActMs`. */
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
