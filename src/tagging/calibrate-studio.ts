import { invalidBody } from '../http/common-errors.ts'
import { overloaded } from '../http/errors.ts'
import { PictureError } from '../vision/picture-error.ts'
import { readStudioScale } from '../vision/read-studio-scale.ts'
import { budget, type TaggingDeps } from './deps.ts'
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
  { now, sleep }: Pick<TaggingDeps, 'now' | 'sleep'>,
  tenantId: string,
  { size, body }: Photograph,
): Promise<number> {
  const run = budget.enter(tenantId, now())
  try {
    if (!run.reserve(size)) throw overloaded()
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
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
