import { dayMs, hourMs, minuteMs } from '../time.ts'
import type { FailureKind } from './classify-error.ts'

/** Stops asking for a while after failures. Plain state of an isolate; every entry of it ends by itself. */
export interface Breaker {
  /** Whether somebody may be asked now. After a pause one caller tries, and the others wait for what becomes of it. */
  readonly admit: (nowMs: number) => boolean
  readonly succeed: () => void
  readonly fail: (kind: FailureKind, nowMs: number) => void
}

/** So many failures in a row open it. */
const maxFailures = 3

const firstPauseMs = 10_000
const maxPauseMs = 5 * minuteMs

/** Longer than a caller waits for its answer. */
const trialMs = 15_000

/** When the neurons of a day are available again. */
const nextDay = (nowMs: number) => (Math.floor(nowMs / dayMs) + 1) * dayMs

/**
 * Used up is used up until 00:00 UTC. A licence, a permission or a request that is wrong needs a person, so that one
 * try an hour is enough: a licence at the first failure, a request at the third, because it may be the picture's. What
 * is busy, slow or broken is tried again after pauses that double.
 */
export function createBreaker(): Breaker {
  let [failures, openUntil, pauseMs] = [0, 0, firstPauseMs]
  let isOpen = false

  return {
    admit(nowMs) {
      if (!isOpen) return true
      if (nowMs < openUntil) return false
      openUntil = nowMs + trialMs
      return true
    },
    succeed() {
      ;[failures, openUntil, pauseMs, isOpen] = [0, 0, firstPauseMs, false]
    },
    fail(kind, nowMs) {
      failures++
      if (kind === 'quota') openUntil = nextDay(nowMs)
      else if (kind === 'licence') openUntil = nowMs + hourMs
      else if (failures < maxFailures) return
      else if (kind === 'bad_request' || kind === 'form') openUntil = nowMs + hourMs
      else {
        openUntil = nowMs + pauseMs
        pauseMs = Math.min(maxPauseMs, pauseMs * 2)
      }
      isOpen = true
    },
  }
}
