import { yieldToEventLoop } from '../../yield-to-event-loop.ts'

/** Reading and decompressing this many bytes takes about 0.05 s where each of them matters. */
const bytesPerTurn = 1_500_000

/**
 * Counts the work of a decoder, and gives other requests of the isolate their turn after about 0.05 s of it. Counted
 * instead of timed, because the clock of a Worker stands still while it computes.
 * @param share of a turn that was spent on pixels
 */
export type TakeTurn = (share: number) => Promise<void>

/** @param countBytes the bytes that the decoder has read so far */
export function createTurns(countBytes: () => number): TakeTurn {
  let work = 0
  let counted = 0
  return async (share) => {
    const bytes = countBytes()
    work += share + (bytes - counted) / bytesPerTurn
    counted = bytes
    if (work < 1) return
    work = 0
    await yieldToEventLoop()
  }
}
