import { maxRetryAfterMs } from '../../http/retry-after.ts'

/** Spreads the retries of deliveries that failed at the same time. */
const maxJitter = 0.1

/** The automatic attempts of a delivery: the first, and one after each pause. */
export const maxAttempts = (retryDelays: readonly number[]) => retryDelays.length + 1

/**
 * The pause in milliseconds after failed attempt `attempt` (from 1), or null if it was the last. `retryDelays` are in
 * seconds, `random` is in [0, 1), `retryAfterMs` is what the receiver asked for.
 */
export function retryDelayMs(
  attempt: number,
  retryDelays: readonly number[],
  retryAfterMs: number | null,
  random: number,
): number | null {
  const seconds = retryDelays[attempt - 1]
  if (seconds === undefined) return null
  const jittered = seconds * 1000 * (1 + random * maxJitter)
  return Math.round(Math.min(Math.max(jittered, retryAfterMs ?? 0), maxRetryAfterMs))
}
