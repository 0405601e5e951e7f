import { createLimit } from '../limits/limit.ts'
import { withTimeout } from '../limits/deadline.ts'
import { minuteMs } from '../../time.ts'
import { tooManyAtOnce } from './errors.ts'

const maxAtOnce = 3

/** Time to send 200 MB at about 1 Mbit/s. */
const maxSendingMs = 30 * minuteMs

/** Limits how many parts slow readers keep in memory. */
const admit = createLimit({
  perKey: maxAtOnce,
  maxWaitMs: 0,
  maxActMs: minuteMs,
  busy: () => tooManyAtOnce(`At most ${maxAtOnce} downloads at a time. Wait until one has ended.`, 60),
})

/**
 * Streams the parts of a file, each made once the reader is ready. Fails after half an hour. Throws 429 while an
 * isolate sends three files to the tenant.
 */
export const streamFile = async (
  tenantId: string,
  parts: AsyncIterable<string | Uint8Array>,
  sendingMs = maxSendingMs,
): Promise<ReadableStream<Uint8Array>> =>
  await new Promise((resolve, reject) => {
    const send = async (extend: () => void) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      resolve(readable)
      await sendParts(parts, writable.getWriter(), { sendingMs, extend })
    }
    admit(tenantId, send).catch(reject)
  })

async function sendParts(
  parts: AsyncIterable<string | Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  { sendingMs, extend }: { readonly sendingMs: number; readonly extend: () => void },
): Promise<void> {
  const encoder = new TextEncoder()
  const tooSlow = () => new Error(`A download has taken ${sendingMs} ms`)
  try {
    await withTimeout(sendingMs, tooSlow, async (signal) => {
      for await (const part of parts) {
        await writer.write(typeof part === 'string' ? encoder.encode(part) : part)
        extend()
        if (signal.aborted) return
      }
      await writer.close()
    })
  } catch (error) {
    // The reader sees the error.
    await writer.abort(error).catch(() => {})
  }
}
