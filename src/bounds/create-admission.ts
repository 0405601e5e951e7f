import { type Clock, systemClock } from './clock.ts'

interface AdmissionLimits {
  /** Callers of one key that are under way at a time. */
  readonly maxOfKey: number
  /** How many of a key act at a time, while so many of it are under way. */
  readonly mayAct: (underWay: number) => number
  /** How long a caller waits for those before it to end. */
  readonly maxWaitMs: number
  /** Thrown to a caller that finds too many others with its key, or has waited too long for them. */
  readonly busy: () => Error
}

interface Caller {
  seenAt: number
}

/**
 * How long a caller sleeps for each one before it that waits too, and at most. To wake one takes the isolate about a
 * millisecond: with all of 50 waking often, nothing else would be answered.
 */
const pollMs = 25
const maxPollMs = 500

/** A caller that acts gives a sign of life so often. */
const beatMs = 500

/** One without a sign for so long was cancelled: the platform runs none of its code any more. */
const silentMs = 2000

/**
 * Bounds how many callers of a key are under way in this isolate, before they cost anything that is shared. Only the
 * first of them act, so that a burst of one key is spread over time and the callers of other keys come between.
 */
export function createAdmission(
  { maxOfKey, mayAct, maxWaitMs, busy }: AdmissionLimits,
  { now, sleep }: Clock = systemClock,
) {
  const underWay = new Map<string, Set<Caller>>()

  /** Those of a key that are under way, in the order in which they came. */
  function live(ofKey: Set<Caller>): Set<Caller> {
    for (const each of ofKey) if (each.seenAt <= now() - silentMs) ofKey.delete(each)
    return ofKey
  }

  async function waitForTurn(ofKey: Set<Caller>, own: Caller): Promise<void> {
    const since = own.seenAt
    for (;;) {
      const waitingBefore = [...live(ofKey)].indexOf(own) - mayAct(ofKey.size)
      if (waitingBefore < 0) return
      if (now() >= since + maxWaitMs) throw busy()
      await sleep(Math.min(pollMs * (waitingBefore + 1), maxPollMs))
      own.seenAt = now()
    }
  }

  return async function admit<T>(key: string, act: () => Promise<T>): Promise<T> {
    for (const [each, callers] of underWay) if (live(callers).size === 0) underWay.delete(each)
    const ofKey = underWay.get(key) ?? new Set<Caller>()
    if (ofKey.size >= maxOfKey) throw busy()
    const own: Caller = { seenAt: now() }
    underWay.set(key, ofKey.add(own))
    try {
      await waitForTurn(ofKey, own)
      void beat(ofKey, own)
      return await act()
    } finally {
      ofKey.delete(own)
    }
  }

  async function beat(ofKey: Set<Caller>, own: Caller): Promise<void> {
    while (ofKey.has(own)) {
      own.seenAt = now()
      await sleep(beatMs)
    }
  }
}
