import { ApiError } from '../http/errors.ts'

/** A hash takes some 200 ms of the isolate's only thread; between two of them other requests get their turn. */
const maxHashes = 2
const defaultMaxWaitMs = 10_000
const pollMs = 20

/** Frees the slot of an invocation that was cancelled. */
const slotExpiryMs = 5000

/** When each taken slot expires. Numbers, not promises: a promise of a cancelled invocation would never settle. */
const slots = new Map<symbol, number>()

/** Runs `hash` once fewer than two run in this isolate. Throws 503 after `maxWaitMs` in the queue. */
export async function withHashSlot<T>(hash: () => Promise<T>, maxWaitMs = defaultMaxWaitMs): Promise<T> {
  const startedAt = Date.now()
  while (takenSlots(Date.now()) >= maxHashes) {
    if (Date.now() - startedAt >= maxWaitMs)
      throw new ApiError(503, 'Service overloaded', ['Too many sign-ins at the same time; try again in a moment.'], {
        'Retry-After': '5',
      })
    await scheduler.wait(pollMs)
  }
  const slot = Symbol('hash')
  slots.set(slot, Date.now() + slotExpiryMs)
  try {
    return await hash()
  } finally {
    slots.delete(slot)
  }
}

function takenSlots(nowMs: number): number {
  for (const [slot, expiresAt] of slots) if (expiresAt <= nowMs) slots.delete(slot)
  return slots.size
}
