import type { z } from 'zod'
import { openDatabase } from '../db/client.ts'
import { settingsOf } from '../settings.ts'
import { ApiError } from '../http/errors.ts'
import { enqueue } from '../queue/enqueue.ts'
import { imageProblem } from '../outbound/fetch-image.ts'
import type { TaggingMessage } from './tagging-message.ts'
import type { uploadSchema } from './fields.ts'
import { uploadGarment } from './upload-garment.ts'

/**
 * Takes a garment in: checks where its image is, stores it, has it tagged. `origin` is the service's address as its
 * client called it. Throws 400 for an image we must not fetch and 409 where the uuid is taken by other content.
 */
export async function acceptUpload(
  env: Pick<Env, 'DB' | 'TAGGING_QUEUE'>,
  tenantId: string,
  { uuid, image_url: imageUrl, attribute }: z.infer<typeof uploadSchema>,
  origin: string,
  now: number,
): Promise<void> {
  const problem = imageProblem(imageUrl, { settings: settingsOf(env), ownOrigin: origin })
  if (problem !== null) throw new ApiError(400, 'Invalid request', [`image_url: ${problem}`])
  if (await uploadGarment(openDatabase(env.DB), tenantId, { uuid, imageUrl, attribute, origin }, now))
    await enqueue(env.TAGGING_QUEUE, { tenantId, uuid } satisfies TaggingMessage)
}
