import { type Clock, systemClock } from './clock.ts'

interface AdmissionLimits {
  /** Callers of one key that are under way at a time. */
  readonly maxOfKey: number
  /** How many of these act at a time. */
  readonly maxActingOfKey: number
  /** How long a caller waits for those before it to end; then it acts beside them, because they may be cancelled. */
  readonly maxBehindMs: number
  /** Forgets an invocation that was cancelled: the platform runs none of its code any more. */
  readonly expiryMs: number
  /** Thrown to a caller that finds too many others with its key. */
  readonly busy: () => Error
}

const pollMs = 50

/**
 * Bounds how many callers of a key are under way in this isolate, before they cost anything that is shared. Only the
 * first of them act, so that a burst of one key is spread over time and the callers of other keys come between.
 */
export function createAdmission(limits: AdmissionLimits, { now, sleep }: Clock = systemClock) {
  const { maxOfKey, maxActingOfKey, maxBehindMs, expiryMs, busy } = limits
  const underWay = new Map<string, Set<{ readonly until: number }>>()

  /** Those of the key that are under way, in the order in which they came. */
  function live(key: string): Set<{ readonly until: number }> {
    const ofKey = underWay.get(key) ?? new Set()
    for (const each of ofKey) if (each.until <= now()) ofKey.delete(each)
    return ofKey
  }

  return async function admit<T>(key: string, act: () => Promise<T>): Promise<T> {
    const ofKey = live(key)
    if (ofKey.size >= maxOfKey) throw busy()
    const since = now()
    const own = { until: since + expiryMs }
    underWay.set(key, ofKey.add(own))
    try {
      while ([...live(key)].indexOf(own) >= maxActingOfKey && now() < since + maxBehindMs) await sleep(pollMs)
      return await act()
    } finally {
      ofKey.delete(own)
      if (ofKey.size === 0) underWay.delete(key)
    }
  }
}
