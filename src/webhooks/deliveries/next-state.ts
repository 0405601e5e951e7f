import { maxRetryAfterMs, parseRetryAfter } from '../../platform/http/retry-after.ts'
import type { Answer, RecordedOutcome } from '../../events/delivery-transitions.ts'
import type { DeliveryStatus } from '../../events/delivery.ts'

/** Spreads the retries of deliveries that failed at the same time. */
const maxJitter = 0.1

export const maxAttempts = (retryDelays: readonly number[]) => retryDelays.length + 1

/**
 * Returns the pause in milliseconds after failed attempt `attempt` (from 1), or null after the last. `retryDelays` are
 * in seconds, `random` is in [0, 1).
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

interface FinishedAttempt {
  readonly attempt: number
  /** The status before a manual redelivery. Null for an automatic attempt. */
  readonly redeliveredFrom: DeliveryStatus | null
  readonly answer: Pick<Answer, 'ok' | 'status' | 'retryAfter'>
}

/** The receiver is gone for good (RFC 9110, 15.5.11). */
const statusGone = 410

/** The statuses for which RFC 9110 and RFC 6585 define `Retry-After`. */
const statusesWithRetryAfter: readonly (number | null)[] = [429, 503]

/** Returns the state after an attempt. After a failed manual redelivery, that is the former status. */
export function nextState(
  { attempt, redeliveredFrom, answer }: FinishedAttempt,
  retryDelays: readonly number[],
  nowMs: number,
  random: number,
): Pick<RecordedOutcome, 'status' | 'nextAttemptAt'> {
  if (answer.ok) return { status: 'delivered', nextAttemptAt: null }
  if (redeliveredFrom !== null && redeliveredFrom !== 'pending') return { status: redeliveredFrom, nextAttemptAt: null }
  const retryAfterMs = statusesWithRetryAfter.includes(answer.status) ? parseRetryAfter(answer.retryAfter, nowMs) : null
  const delayMs = answer.status === statusGone ? null : retryDelayMs(attempt, retryDelays, retryAfterMs, random)
  if (delayMs === null) return { status: 'permanently_failed', nextAttemptAt: null }
  return { status: 'pending', nextAttemptAt: nowMs + delayMs }
}
