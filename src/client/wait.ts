import { type CallOptions, GarmentTaggingError } from './connection.ts'
import { sleep } from './send.ts'
import type { Garment } from './types.ts'

export interface WaitOptions extends CallOptions {
  /** Total time in ms. Default 600,000, which covers all tries of a picture whose host is unreliable. */
  readonly waitMs?: number
  readonly onPoll?: (garment: Garment) => void
}

/** Pauses before the first polls, in seconds. Upload and polls together stay within six requests per minute. */
const pollDelays = [0.7, 2, 6, 12, 20, 25] as const

export const pollDelayMs = (polls: number) => (pollDelays[polls] ?? 25) * 1000

const minPollMs = 1000

const maxTimerMs = 2 ** 31 - 1

const isTemporary = ({ code, status }: GarmentTaggingError) =>
  code === 'network' || code === 'timeout' || status === 429 || status >= 500

/** Polls until the garment is complete or failed, also after temporary failures. Throws a timeout after `waitMs`. */
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
      const isFailure = error instanceof GarmentTaggingError && isTemporary(error)
      if (!isFailure && error !== limit.reason) throw error
      if (isFailure) reason = `The last poll failed: ${error.message}`
    }
  }
}
