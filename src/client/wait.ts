import { type CallOptions, GarmentTaggingError } from './connection.ts'
import { sleep } from './send.ts'
import type { Garment } from './types.ts'

export interface WaitOptions extends CallOptions {
  /** 600,000 by default, which covers all tries of a garment whose picture's host is unreliable. */
  readonly waitMs?: number
  /** Called with each answer. */
  readonly onPoll?: (garment: Garment) => void
}

/** Seconds before each poll. With the upload they are never more than the six requests a minute of a tenant. */
const pollDelays = [0.7, 2, 6, 12, 20, 25] as const

export const pollDelayMs = (polls: number) => (pollDelays[polls] ?? 25) * 1000

/** The last poll begins when the time is over, and may take this long. */
const minPollMs = 1000

/** The longest time that a timer takes. */
const maxTimerMs = 2 ** 31 - 1

/** Whether a later poll may succeed. */
const isPassing = ({ code, status }: GarmentTaggingError) =>
  code === 'network' || code === 'timeout' || status === 429 || status >= 500

/**
 * Polls until the garment is complete or failed. A poll that failed for a passing reason is followed by the next one.
 * Throws a timeout after `waitMs`, or up to a second later.
 */
export async function waitForEnd(
  query: (options: CallOptions) => Promise<Garment>,
  { waitMs = 600_000, onPoll, signal }: WaitOptions,
): Promise<Garment> {
  const deadline = Date.now() + waitMs
  let reason: string | undefined
  for (let polls = 0; ; polls++) {
    const remainingMs = deadline - Date.now()
    if (remainingMs <= 0) {
      const problem = `The garment was not tagged within ${waitMs / 1000} s.`
      throw new GarmentTaggingError('timeout', 0, 'Timeout', reason === undefined ? [problem] : [problem, reason])
    }
    await sleep(Math.min(pollDelayMs(polls), remainingMs), signal)
    const limit = AbortSignal.timeout(Math.min(Math.max(Math.ceil(deadline - Date.now()), minPollMs), maxTimerMs))
    try {
      const garment = await query({ signal: signal === undefined ? limit : AbortSignal.any([signal, limit]) })
      onPoll?.(garment)
      if (garment.status === 'complete' || garment.status === 'failed') return garment
      reason = garment.retry && `It will be tried again: ${garment.retry.failure_reason}`
    } catch (error) {
      signal?.throwIfAborted()
      const isFailure = error instanceof GarmentTaggingError && isPassing(error)
      if (!isFailure && error !== limit.reason) throw error
      if (isFailure) reason = `The last poll failed: ${error.message}`
    }
  }
}
