import type { DeliveryMessage } from '../delivery/message.ts'

export interface Backlog {
  /** False if there is no room. Accepts an attempt that already waits or runs, without making it twice. */
  readonly accept: (message: DeliveryMessage) => boolean
  /** How many attempts wait for others. */
  readonly waiting: () => number
}

/**
 * Makes attempts in the order in which they arrive, at most `concurrency()` at a time, and holds at most `maxWaiting`
 * in memory. The sweep finds whatever is lost with the memory. `make` must not reject.
 */
export function createBacklog(
  make: (message: DeliveryMessage) => Promise<void>,
  { concurrency, maxWaiting }: { concurrency: () => number; maxWaiting: number },
): Backlog {
  const waiting = new Map<string, DeliveryMessage>()
  const running = new Set<string>()

  function startNext(): void {
    for (const [id, message] of waiting) {
      if (running.size >= concurrency()) return
      // It starts when the running attempt of the same delivery has ended.
      if (running.has(id)) continue
      waiting.delete(id)
      running.add(id)
      void make(message).finally(() => {
        running.delete(id)
        startNext()
      })
    }
  }

  return {
    accept(message) {
      const known = waiting.get(message.deliveryId)
      if (known === undefined && waiting.size >= maxWaiting) return false
      if (known === undefined || known.attempt < message.attempt) waiting.set(message.deliveryId, message)
      startNext()
      return true
    },
    waiting: () => waiting.size,
  }
}
