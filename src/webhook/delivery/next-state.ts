import type { deliveryStatuses } from '../../db/schema.ts'
import type { Answer } from '../request/call-receiver.ts'
import { parseRetryAfter, retryDelayMs } from './schedule.ts'

export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface Decision {
  readonly status: DeliveryStatus
  readonly nextAttemptAt: number | null
}

export interface Made {
  readonly attempt: number
  /** The status in which a manual redelivery found the delivery; null for an automatic attempt. */
  readonly redeliveredFrom: DeliveryStatus | null
  readonly answer: Pick<Answer, 'ok' | 'status' | 'retryAfter'>
}

/** The receiver says that it is gone for good (RFC 9110, 15.5.11). */
const gone = 410

/** Those that RFC 9110 and RFC 6585 give `Retry-After` a meaning for. */
const pausing = [429, 503]

/**
 * What becomes of a delivery after an attempt. A manual redelivery of a delivery that had ended is one attempt and no
 * more: if it fails, the delivery is again what it was.
 */
export function decide(made: Made, retryDelays: readonly number[], nowMs: number, random: number): Decision {
  const { attempt, redeliveredFrom, answer } = made
  if (answer.ok) return { status: 'delivered', nextAttemptAt: null }
  if (redeliveredFrom !== null && redeliveredFrom !== 'pending') return { status: redeliveredFrom, nextAttemptAt: null }
  const retryAfterMs = pausing.includes(answer.status) ? parseRetryAfter(answer.retryAfter, nowMs) : null
  const delayMs = answer.status === gone ? null : retryDelayMs(attempt, retryDelays, retryAfterMs, random)
  if (delayMs === null) return { status: 'permanently_failed', nextAttemptAt: null }
  return { status: 'pending', nextAttemptAt: nowMs + delayMs }
}
