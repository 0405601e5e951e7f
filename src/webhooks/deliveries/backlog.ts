import type { Sleep } from '../../time.ts'
import type { DeliveryMessage } from '../../events/delivery.ts'

interface BacklogLimits {
  readonly concurrency: number
  readonly maxWaiting: number
  readonly perInvocation: number
}

/**
 * Makes attempts in the order in which they arrive. After as many as one invocation makes, it calls `pause` and waits
 * for `proceed`; where nothing runs or waits, an attempt that arrives begins a new invocation. The sweep finds whatever
 * is lost with the memory. `make` must not reject.
 */
export function createBacklog(
  make: (message: DeliveryMessage) => Promise<void>,
  pause: () => void,
  { concurrency, maxWaiting, perInvocation }: BacklogLimits,
) {
  const waiting = new Map<string, DeliveryMessage>()
  const running = new Set<string>()
  let left = perInvocation

  function startNext(): void {
    for (const [id, message] of waiting) {
      if (running.size >= concurrency) return
      // It starts when the running attempt of the same delivery has ended.
      if (running.has(id)) continue
      if (left === 0) return pause()
      left--
      waiting.delete(id)
      running.add(id)
      void make(message).finally(() => {
        running.delete(id)
        startNext()
      })
    }
  }

  return {
    /** False if there is no room. Accepts an attempt that already waits or runs, without making it twice. */
    accept(message: DeliveryMessage): boolean {
      if (waiting.size === 0 && running.size === 0) left = perInvocation
      const known = waiting.get(message.deliveryId)
      if (known === undefined && waiting.size >= maxWaiting) return false
      if (known === undefined || known.attempt < message.attempt) waiting.set(message.deliveryId, message)
      startNext()
      return true
    },
    proceed(): void {
      left = perInvocation
      startNext()
    },
  }
}

export type Pace = (maxPerSecond: number | null) => Promise<void>

interface PaceDeps {
  readonly now: () => number
  readonly sleep: Sleep
}

/**
 * Waits for its turn, so that turns are at least a second divided by `maxPerSecond` apart; null has no limit. With the
 * few attempts that run at a time, the wait is far shorter than the lease of an attempt.
 */
export function createPace({ now, sleep }: PaceDeps): Pace {
  let nextMs = 0
  return async (maxPerSecond) => {
    if (maxPerSecond === null) return
    const turnMs = Math.max(now(), nextMs)
    nextMs = turnMs + 1000 / maxPerSecond
    if (turnMs > now()) await sleep(turnMs - now())
  }
}
