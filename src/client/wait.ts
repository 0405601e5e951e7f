import type { CallOptions } from './connection.ts'
import { GarmentTaggingError } from './error.ts'
import { sleep } from './sleep.ts'
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

/** Polls until the garment is complete or failed. */
export async function waitForEnd(
  query: (options: CallOptions) => Promise<Garment>,
  { waitMs = 600_000, onPoll, signal }: WaitOptions,
): Promise<Garment> {
  const deadline = Date.now() + waitMs
  let retry: Garment['retry']
  for (let polls = 0; ; polls++) {
    const delayMs = pollDelayMs(polls)
    const remainingMs = deadline - Date.now()
    if (remainingMs <= 0) {
      const reason = retry === undefined ? [] : [`It will be tried again: ${retry.failure_reason}`]
      const problem = `The garment was not tagged within ${waitMs / 1000} s.`
      throw new GarmentTaggingError('timeout', 0, 'Timeout', [problem, ...reason])
    }
    await sleep(Math.min(delayMs, remainingMs), signal)
    const garment = await query({ signal })
    onPoll?.(garment)
    if (garment.status === 'complete' || garment.status === 'failed') return garment
    retry = garment.retry
  }
}
