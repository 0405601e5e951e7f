import { type Clock, systemClock } from '../../time.ts'

interface Limits {
  /** Callers of one key that act at a time. */
  readonly perKey: number
  /** Callers of all keys that act at a time. */
  readonly inAll?: number
  /** Callers that wait, of one key and of all. */
  readonly waitingPerKey?: number
  readonly waitingInAll?: number
  /** How long a caller waits for its turn. With 0 nobody waits. */
  readonly maxWaitMs: number
  /** Thrown to a caller that finds too many others waiting, or has waited too long. */
  readonly busy: () => Error
}

interface Caller {
  readonly key: string
  /** In the order in which they came. */
  readonly number: number
  /** Without a sign of life until then it was cancelled: the platform runs none of its code any more. */
  aliveUntil: number
}

/**
 * How long a caller sleeps for each one before it, and at most. To wake one takes the isolate about a millisecond: with
 * 50 of them waking often, nothing else would be answered.
 */
const pollMs = 20
const maxPollMs = 500

/** A caller that acts gives a sign of life so often. */
const beatMs = 500

/** How late a sign of life may be, because other work held the isolate's thread. */
const graceMs = 1500

/** For how long a key that was served comes after the others. */
const servedMs = 10_000

/**
 * Limits how many callers act at a time in this isolate, so that nobody occupies it alone. Keys take turns: one with
 * many callers delays only itself. Each caller polls on a timer of its own, because a promise that another invocation
 * has to settle stays open for ever once that one was cancelled.
 */
export function createLimit(
  { perKey, inAll = Infinity, waitingPerKey = Infinity, waitingInAll = Infinity, maxWaitMs, busy }: Limits,
  { now, sleep }: Clock = systemClock,
) {
  const acting = new Set<Caller>()
  const waiting = new Set<Caller>()
  const lastServed = new Map<string, number>()
  let callers = 0

  /** A cancelled caller counts as served, so that a key gains nothing by cancelling. */
  function forgetCancelled(): void {
    const nowMs = now()
    for (const caller of acting) if (caller.aliveUntil <= nowMs) acting.delete(caller)
    for (const caller of waiting)
      if (caller.aliveUntil <= nowMs) {
        waiting.delete(caller)
        lastServed.set(caller.key, nowMs)
      }
    for (const [key, at] of lastServed) if (at <= nowMs - servedMs) lastServed.delete(key)
  }

  function isBefore(a: Caller, b: Caller): boolean {
    const [servedA, servedB] = [lastServed.get(a.key) ?? 0, lastServed.get(b.key) ?? 0]
    return servedA < servedB || (servedA === servedB && a.number < b.number)
  }

  /** How many callers act before this one does; 0 if it may act now. */
  function countAhead(caller: Caller): number {
    forgetCancelled()
    const freeOf = (key: string) => perKey - countKey(acting, key)
    const ahead = [...waiting].filter((other) => other !== caller && isBefore(other, caller))
    const ofKey = ahead.filter(({ key }) => key === caller.key).length
    const others = inAll === Infinity ? 0 : ahead.filter(({ key }) => key !== caller.key && freeOf(key) > 0).length
    return Math.max(0, ofKey + 1 - freeOf(caller.key), ofKey + others + 1 - (inAll - acting.size))
  }

  async function takeTurn(caller: Caller, waitMs: number): Promise<void> {
    const since = now()
    let ahead = countAhead(caller)
    if (ahead > 0 && (waiting.size >= waitingInAll || countKey(waiting, caller.key) >= waitingPerKey)) throw busy()
    try {
      for (; ahead > 0; ahead = countAhead(caller)) {
        if (now() - since >= waitMs) throw busy()
        const sleepMs = Math.min(pollMs * ahead, maxPollMs)
        caller.aliveUntil = now() + sleepMs + graceMs
        waiting.add(caller)
        await sleep(sleepMs)
      }
    } finally {
      waiting.delete(caller)
    }
    // In the same step, so that no other caller finds the place free.
    acting.add(caller)
    lastServed.set(caller.key, now())
    void beat(caller)
  }

  async function beat(caller: Caller): Promise<void> {
    while (acting.has(caller)) {
      caller.aliveUntil = now() + beatMs + graceMs
      await sleep(beatMs)
    }
  }

  return async function withLimit<T>(key: string, act: () => Promise<T>, waitMs = maxWaitMs): Promise<T> {
    const caller: Caller = { key, number: callers++, aliveUntil: 0 }
    await takeTurn(caller, waitMs)
    try {
      return await act()
    } finally {
      acting.delete(caller)
    }
  }
}

const countKey = (callers: ReadonlySet<Caller>, key: string): number => {
  let count = 0
  for (const caller of callers) if (caller.key === key) count++
  return count
}
