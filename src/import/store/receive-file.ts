import type { Context, Env } from 'hono'
import { createLimit } from '../../bounds/limit.ts'
import { withDeadline } from '../../bounds/deadline.ts'
import { minuteMs } from '../../time.ts'
import { fileTooLate, tooManyBeingSent } from '../errors.ts'

/** For 8 MiB, at about 0.6 Mbit/s. */
const maxArrivalMs = 2 * minuteMs

/** A file is in memory while it is being sent and while it waits. */
const admit = createLimit({ perKey: 3, maxWaitMs: 0, busy: tooManyBeingSent })

/**
 * Runs what reads and handles a body of lines, in an isolate for at most three of a tenant at a time. Throws 429 above
 * that. Reading the body throws 400 if it is sent too slowly.
 */
export const receiveFile = async <E extends Env>(
  { req }: Context<E>,
  tenantId: string,
  handle: () => Promise<void>,
  arrivalMs = maxArrivalMs,
): Promise<void> =>
  await admit(tenantId, async () => {
    req.raw = withDeadline(req.raw, arrivalMs, () => fileTooLate(arrivalMs / 1000))
    await handle()
  })
