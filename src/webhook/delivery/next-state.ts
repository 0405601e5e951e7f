import type { Answer } from '../request/call-receiver.ts'
import type { DeliveryStatus } from './conditions.ts'
import { parseRetryAfter } from '../../http/retry-after.ts'
import { retryDelayMs } from './schedule.ts'

export interface NextState {
  readonly status: DeliveryStatus
  readonly nextAttemptAt: number | null
}

export interface FinishedAttempt {
  readonly attempt: number
  /** The status in which a manual redelivery found the delivery; null for an automatic attempt. */
  readonly redeliveredFrom: DeliveryStatus | null
  readonly answer: Pick<Answer, 'ok' | 'status' | 'retryAfter'>
}

/** The receiver is gone for good (RFC 9110, 15.5.11). */
const gone = 410

/** The statuses for which RFC 9110 and RFC 6585 define `Retry-After`. */
const pausing = [429, 503]

/**
 * The state of a delivery after an attempt. A manual redelivery of an ended delivery is a single attempt: if it fails,
 * the delivery returns to its former status. `random` is in [0, 1).
 */
export function nextState(
  { attempt, redeliveredFrom, answer }: FinishedAttempt,
  retryDelays: readonly number[],
  nowMs: number,
  random: number,
): NextState {
  if (answer.ok) return { status: 'delivered', nextAttemptAt: null }
  if (redeliveredFrom !== null && redeliveredFrom !== 'pending') return { status: redeliveredFrom, nextAttemptAt: null }
  const retryAfterMs = pausing.includes(answer.status) ? parseRetryAfter(answer.retryAfter, nowMs) : null
  const delayMs = answer.status === gone ? null : retryDelayMs(attempt, retryDelays, retryAfterMs, random)
  if (delayMs === null) return { status: 'permanently_failed', nextAttemptAt: null }
  return { status: 'pending', nextAttemptAt: nowMs + delayMs }
}
