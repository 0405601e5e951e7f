import { withTimeout } from '../platform/limits/deadline.ts'
import { invalidBody, overloaded } from '../platform/http/errors.ts'
import { PictureError } from '../vision/picture-error.ts'
import { readStudioScale } from '../vision/read-studio-scale.ts'
import type { TaggingDeps } from './deps.ts'
import type { Run } from '../platform/limits/isolate-budget.ts'

/** A run's budget of 40 s minus 10 s to wait for the decoding slot and 5 s to use it. */
const maxArrivalMs = 25_000

interface Photograph {
  readonly size: number
  readonly body: ReadableStream<Uint8Array>
}

/**
 * Returns a studio's centimetres per pixel, from a photograph of the printed card. Throws 400 for an unusable or slow
 * photograph, and 503 without memory or slot.
 */
export async function calibrateStudio(
  { budget, now, sleep }: Pick<TaggingDeps, 'budget' | 'now' | 'sleep'>,
  tenantId: string,
  photograph: Photograph,
  arrivalMs = maxArrivalMs,
): Promise<number> {
  const run = budget.enter(tenantId, now())
  try {
    const tooSlow = () =>
      invalidBody([
        `image: it did not arrive within ${arrivalMs / 1000} s; send a smaller one, or use a faster connection`,
      ])
    const bytes = await withTimeout(arrivalMs, tooSlow, async (signal) => await readAll(photograph, run, signal))
    if (!(await run.waitForSlot({ now, sleep }))) throw overloaded()
    const found = await readStudioScale(bytes)
    if ('problem' in found) throw invalidBody([`image: ${found.problem}`])
    return found.cmPerPixel
  } catch (error) {
    if (error instanceof PictureError) throw invalidBody([`image: ${error.message}`])
    throw error
  } finally {
    run.leave()
  }
}

/** Reserves at most twice the bytes that have arrived, so that nobody takes memory without sending a photograph. */
async function readAll({ size, body }: Photograph, run: Run, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = new ArrayBuffer(0)
  let length = 0
  const reader = body.getReader()
  // Not awaited, because cancelling may wait for the sender.
  const cancel = (reason: unknown) => void reader.cancel(reason).catch(() => {})
  signal.addEventListener('abort', () => cancel(signal.reason))
  for (;;) {
    const { value: part, done } = await reader.read()
    if (done) return new Uint8Array(buffer, 0, length)
    const end = length + part.length
    if (end > buffer.byteLength) {
      const grown = Math.max(Math.min(2 * end, size), end)
      if (!run.reserve(grown - buffer.byteLength)) {
        const error = overloaded()
        cancel(error)
        throw error
      }
      buffer = buffer.transfer(grown)
    }
    new Uint8Array(buffer).set(part, length)
    length = end
  }
}
