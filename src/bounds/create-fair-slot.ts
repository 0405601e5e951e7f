import { type Clock, systemClock } from './clock.ts'

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
  /** Thrown to a caller that has waited too long, or finds too many others waiting. */
  readonly busy: () => Error
}

const pollMs = 20

/** A caller that has not polled for this long was cancelled, or is kept from polling by other work. */
const askingMs = 200

const defaultMaxWaitMs = 10_000

/**
 * A slot of the isolate for work that needs much of its thread or its memory: one caller has it at a time, and the keys
 * take turns, so that a key with many callers delays only itself. Each caller polls on a timer of its own, because a
 * promise from a cancelled invocation would never settle.
 */
export function createFairSlot(
  { maxWaiting, maxWaitingOfKey, expiryMs, busy }: SlotLimits,
  { now, sleep }: Clock = systemClock,
) {
  const waiting = new Set<Ticket>()
  const lastServed = new Map<string, number>()
  let holder: { readonly until: number } | undefined

  /** Forgets callers that ask no more. Each has had its turn, so that a key gains nothing by cancelling. */
  function forgetCancelled(nowMs: number): void {
    for (const ticket of waiting)
      if (ticket.askedAt <= nowMs - askingMs) {
        waiting.delete(ticket)
        lastServed.set(ticket.key, nowMs)
      }
  }

  function enter(key: string, nowMs: number): Ticket {
    forgetCancelled(nowMs)
    let ofKey = 0
    for (const other of waiting) if (other.key === key) ofKey++
    if (waiting.size >= maxWaiting || ofKey >= maxWaitingOfKey) throw busy()
    const ticket = { key, since: nowMs, askedAt: nowMs }
    waiting.add(ticket)
    return ticket
  }

  function isNext(own: Ticket, nowMs: number): boolean {
    if (holder !== undefined && holder.until > nowMs) return false
    forgetCancelled(nowMs)
    const turnOf = ({ key, since }: Ticket) => [lastServed.get(key) ?? 0, since] as const
    for (const other of waiting) if (other !== own && isBefore(turnOf(other), turnOf(own))) return false
    return true
  }

  /** Waits for the turn, and takes the slot in the same step. */
  async function take(key: string, maxWaitMs: number) {
    const ticket = enter(key, now())
    try {
      while (!isNext(ticket, now())) {
        if (now() - ticket.since >= maxWaitMs) throw busy()
        await sleep(pollMs)
        ticket.askedAt = now()
        waiting.add(ticket)
      }
    } finally {
      waiting.delete(ticket)
    }
    const nowMs = now()
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
