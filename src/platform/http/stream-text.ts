import { createLimit } from '../limits/limit.ts'
import { withTimeout } from '../limits/deadline.ts'
import { minuteMs } from '../../time.ts'
import { tooManyAtOnce } from './errors.ts'

const maxAtOnce = 3

/** For a file of 200 MB, at about 1 Mbit/s. */
const maxSendingMs = 30 * minuteMs

/** A part is in memory as long as its reader leaves it waiting. */
const admit = createLimit({
  perKey: maxAtOnce,
  maxWaitMs: 0,
  busy: () => tooManyAtOnce(`At most ${maxAtOnce} downloads at a time; wait until one has ended.`, 60),
})

/**
 * The parts of a text as a stream, each made only when it is to be sent. It ends with an error if it takes half an
 * hour. Throws 429 while an isolate sends three to the tenant.
 */
export const streamText = async (
  tenantId: string,
  parts: AsyncIterable<string>,
  sendingMs = maxSendingMs,
): Promise<ReadableStream<Uint8Array>> =>
  await new Promise((resolve, reject) => {
    const send = async () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      resolve(readable)
      await sendParts(parts, writable.getWriter(), sendingMs)
    }
    admit(tenantId, send).catch(reject)
  })

async function sendParts(
  parts: AsyncIterable<string>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  sendingMs: number,
): Promise<void> {
  const encoder = new TextEncoder()
  const tooSlow = () => new Error(`A download has taken ${sendingMs} ms`)
  try {
    await withTimeout(sendingMs, tooSlow, async (signal) => {
      for await (const part of parts) {
        await writer.write(encoder.encode(part))
        if (signal.aborted) return
      }
      await writer.close()
    })
  } catch (error) {
    // Whoever reads sees it.
    await writer.abort(error).catch(() => {})
  }
}
