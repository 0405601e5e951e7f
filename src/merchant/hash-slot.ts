import { ApiError } from '../http/errors.ts'

/**
 * A hash takes some 200 ms of the isolate's only thread, so one runs at a time. After it come turns for the requests that
 * came in meanwhile: several short ones, since each step of a request needs a turn of its own.
 */
const turnsAfterHash = 5
const turnMs = 10

const defaultMaxWaitMs = 10_000
const pollMs = 20

/** Frees the slot of an invocation that was cancelled. */
const slotExpiryMs = 5000

/** The hash that runs. Not a promise to wait for: that of a cancelled invocation would never settle. */
let running: { readonly expiresAt: number } | undefined

/** Runs `hash` once no other runs in this isolate. Throws 503 after `maxWaitMs` in the queue. */
export async function withHashSlot<T>(hash: () => Promise<T>, maxWaitMs = defaultMaxWaitMs): Promise<T> {
  const startedAt = Date.now()
  while (running !== undefined && running.expiresAt > Date.now()) {
    if (Date.now() - startedAt >= maxWaitMs)
      throw new ApiError(503, 'Service overloaded', ['Too many sign-ins at the same time; try again in a moment.'], {
        'Retry-After': '5',
      })
    await scheduler.wait(pollMs)
  }
  const own = { expiresAt: Date.now() + slotExpiryMs }
  running = own
  try {
    return await hash()
  } finally {
    for (let turn = 0; turn < turnsAfterHash; turn++) await scheduler.wait(turnMs)
    if (running === own) running = undefined
  }
}
