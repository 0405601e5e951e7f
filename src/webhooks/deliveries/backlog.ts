import type { Sleep } from '../../time.ts'
import type { DeliveryMessage } from '../../events/delivery.ts'

interface BacklogLimits {
  readonly concurrency: number
  readonly maxWaiting: number
  readonly perInvocation: number
}

/**
 * Makes attempts in order of arrival. After `perInvocation` attempts it calls `pause` and waits for `proceed`. A lost
 * backlog is found by the sweep. `make` must not reject.
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
      // A delivery's next attempt starts once its running attempt has ended.
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
    /** Returns false if there is no room. An attempt that waits or runs already is not made twice. */
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

/** Waits until a second divided by `maxPerSecond` has passed since the previous turn. Null has no limit. */
export function createPace({ now, sleep }: PaceDeps): Pace {
  let nextMs = 0
  return async (maxPerSecond) => {
    if (maxPerSecond === null) return
    const turnMs = Math.max(now(), nextMs)
    nextMs = turnMs + 1000 / maxPerSecond
    if (turnMs > now()) await sleep(turnMs - now())
  }
}
