import { invalidBody } from '../http/common-errors.ts'
import { overloaded } from '../http/errors.ts'
import { PictureError } from '../vision/picture-error.ts'
import { readStudioScale } from '../vision/read-studio-scale.ts'
import type { TaggingDeps } from './deps.ts'
import type { Run } from './isolate-budget.ts'
import { waitForSlot } from './wait-for-slot.ts'

interface Photograph {
  /** In bytes. */
  readonly size: number
  readonly body: ReadableStream<Uint8Array>
}

/**
 * The centimetres to a pixel of a studio, from a photograph of the printed card. It shares the decoding slot and the
 * memory budget with the pictures that are tagged. Throws 400 that says what is wrong with the photograph, and 503
 * while there is no room for it.
 */
export async function calibrateStudio(
  { budget, now, sleep }: Pick<TaggingDeps, 'budget' | 'now' | 'sleep'>,
  tenantId: string,
  photograph: Photograph,
): Promise<number> {
  const run = budget.enter(tenantId, now())
  try {
    const bytes = await readAll(photograph, run)
    if (!(await waitForSlot(run, { now, sleep }))) throw overloaded()
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

/**
 * Takes memory for at most twice what has arrived, so that nobody takes it by announcing a photograph and not sending
 * it.
 */
async function readAll({ size, body }: Photograph, run: Run): Promise<Uint8Array<ArrayBuffer>> {
  let buffer = new ArrayBuffer(0)
  let length = 0
  for await (const part of body) {
    const end = length + part.length
    if (end > buffer.byteLength) {
      const grown = Math.max(Math.min(2 * end, size), end)
      if (!run.reserve(grown - buffer.byteLength)) throw overloaded()
      buffer = buffer.transfer(grown)
    }
    new Uint8Array(buffer).set(part, length)
    length = end
  }
  return new Uint8Array(buffer, 0, length)
}
