import { createLimit } from '../../bounds/limit.ts'
import { tooManySignIns } from '../errors.ts'

/**
 * A hash takes some 200 ms of the isolate's only thread, so one runs at a time. Afterwards
 * the isolate yields several times, because each step of a waiting request needs a turn of its own.
 */
const turnsAfterHash = 5
const turnMs = 10

const withSlot = createLimit({
  perKey: 1,
  inAll: 1,
  // Those that are admitted, and password changes.
  waitingPerKey: 30,
  waitingInAll: 200,
  maxWaitMs: 10_000,
  busy: tooManySignIns,
})

/**
 * Runs `hash` once no other runs in this isolate. `caller` is on whose behalf: callers take turns, so that one with
 * many guesses delays no other. Throws 503 after `maxWaitMs` in the queue.
 */
export async function withHashSlot<T>(caller: string, hash: () => Promise<T>, maxWaitMs?: number): Promise<T> {
  return await withSlot(
    caller,
    async () => {
      try {
        return await hash()
      } finally {
        for (let turn = 0; turn < turnsAfterHash; turn++) await scheduler.wait(turnMs)
      }
    },
    maxWaitMs,
  )
}
