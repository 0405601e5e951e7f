import type { Context, Env } from 'hono'
import { createAdmission } from '../../bounds/create-admission.ts'
import { withTimeout } from '../../bounds/with-timeout.ts'
import { minuteMs } from '../../time.ts'
import { fileTooLate, tooManyBeingSent } from '../errors.ts'

/** For 8 MiB, at about 0.6 Mbit/s. */
const maxArrivalMs = 2 * minuteMs

/** A file is in memory while it is being sent and while it waits. */
const admit = createAdmission({
  maxOfKey: 3,
  mayAct: () => 3,
  maxBehindMs: 0,
  busy: tooManyBeingSent,
})

/**
 * Runs what reads and handles a body of lines, in an isolate for at most three of a tenant at a time. Throws 429 above
 * that, and 400 if it takes too long, as when the file is sent too slowly.
 */
export const receiveFile = async <E extends Env>(
  { req }: Context<E>,
  tenantId: string,
  handle: () => Promise<void>,
  arrivalMs = maxArrivalMs,
): Promise<void> =>
  await admit(
    tenantId,
    async () =>
      await withTimeout(
        arrivalMs,
        () => fileTooLate(arrivalMs / 1000),
        async (signal) => {
          const { url, method, headers, body } = req.raw
          if (body !== null) req.raw = new Request(url, { method, headers, body: abortable(body, signal) })
          await handle()
        },
      ),
  )

/** The stream until `signal` is aborted, which fails it with the reason and cancels its source. */
function abortable(source: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  return new ReadableStream({
    start: (controller) =>
      signal.addEventListener('abort', () => {
        controller.error(signal.reason)
        void reader.cancel(signal.reason).catch(() => {})
      }),
    async pull(controller) {
      const { value, done } = await reader.read()
      if (signal.aborted) return
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: async (reason) => await reader.cancel(reason),
  })
}
