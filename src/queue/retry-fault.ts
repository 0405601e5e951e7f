import type { Sleep } from '../time.ts'

/**
 * Runs `action`, which must be safe to repeat, again after each pause while it throws; throws the last error. For
 * faults of our own that pass, such as a database that is overloaded or a connection that was lost.
 */
export async function retryFault<T>(action: () => Promise<T>, pausesMs: readonly number[], pause: Sleep): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await action()
    } catch {
      await pause(pauseMs)
    }
  }
  return await action()
}
