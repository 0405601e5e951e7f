import type { DeliveryMessage } from '../delivery/message.ts'

export interface Backlog {
  /** False if there is no room. An attempt that waits or runs already is taken as accepted: it is not made twice. */
  readonly accept: (message: DeliveryMessage) => boolean
}

/**
 * Makes attempts in the order they come, at most `concurrency` at a time, and keeps at most `maxWaiting` in memory. What
 * is kept is only a hint: whatever is lost here is found again by the sweep. `make` must not reject.
 */
export function createBacklog(
  make: (message: DeliveryMessage) => Promise<void>,
  { concurrency, maxWaiting }: { concurrency: number; maxWaiting: number },
): Backlog {
  const waiting = new Map<string, DeliveryMessage>()
  const running = new Set<string>()

  function startNext(): void {
    for (const [id, message] of waiting) {
      if (running.size >= concurrency) return
      // Its turn comes when the attempt that runs has ended.
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
  }
}
