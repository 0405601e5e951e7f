interface Ticket {
  readonly key: string
  readonly since: number
  /** A caller that asked so long ago was cancelled. */
  askedAt: number
}

interface SlotLimits {
  /** How many callers wait at most, and how many of one key. */
  readonly maxWaiting: number
  readonly maxWaitingOfKey: number
  /** Frees the slot of an invocation that was cancelled: the platform runs none of its code any more. */
  readonly expiryMs: number
  /** What a caller gets that has waited too long, or finds too many others waiting. */
  readonly busy: () => Error
}

const pollMs = 20

/** Much longer than the time between two questions of a caller that waits. */
const askingMs = 1000

const defaultMaxWaitMs = 10_000

/**
 * A slot of the isolate for work that needs much of its thread or its memory: one caller has it at a time, and the keys
 * take turns, so that a key with many callers delays only itself. Each caller asks again on a timer of its own: a
 * promise to wait for, made by an invocation that was cancelled, would never settle.
 */
export function createFairSlot({ maxWaiting, maxWaitingOfKey, expiryMs, busy }: SlotLimits) {
  const waiting = new Set<Ticket>()
  const lastServed = new Map<string, number>()
  let holder: { readonly until: number } | undefined

  function enter(key: string, nowMs: number): Ticket {
    let ofKey = 0
    for (const other of waiting) {
      if (other.askedAt <= nowMs - askingMs) waiting.delete(other)
      else if (other.key === key) ofKey++
    }
    if (waiting.size >= maxWaiting || ofKey >= maxWaitingOfKey) throw busy()
    const ticket = { key, since: nowMs, askedAt: nowMs }
    waiting.add(ticket)
    return ticket
  }

  function isNext(own: Ticket, nowMs: number): boolean {
    if (holder !== undefined && holder.until > nowMs) return false
    const turnOf = ({ key, since }: Ticket) => [lastServed.get(key) ?? 0, since] as const
    for (const other of waiting) {
      const isAsking = other.askedAt > nowMs - askingMs
      if (other !== own && isAsking && isBefore(turnOf(other), turnOf(own))) return false
    }
    return true
  }

  /** Waits for the turn, and takes the slot in the same step. */
  async function take(key: string, maxWaitMs: number) {
    const ticket = enter(key, Date.now())
    try {
      while (!isNext(ticket, Date.now())) {
        if (Date.now() - ticket.since >= maxWaitMs) throw busy()
        await new Promise((resolve) => setTimeout(resolve, pollMs))
        ticket.askedAt = Date.now()
      }
    } finally {
      waiting.delete(ticket)
    }
    const nowMs = Date.now()
    for (const [each, at] of lastServed) if (at <= nowMs - defaultMaxWaitMs) lastServed.delete(each)
    lastServed.set(key, nowMs)
    return (holder = { until: nowMs + expiryMs })
  }

  return async function withSlot<T>(key: string, act: () => Promise<T>, maxWaitMs = defaultMaxWaitMs): Promise<T> {
    const own = await take(key, maxWaitMs)
    try {
      return await act()
    } finally {
      if (holder === own) holder = undefined
    }
  }
}

const isBefore = ([servedA, sinceA]: readonly [number, number], [servedB, sinceB]: readonly [number, number]) =>
  servedA < servedB || (servedA === servedB && sinceA < sinceB)
