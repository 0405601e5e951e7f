import { waitUntil } from 'cloudflare:workers'
import type { z } from 'zod'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { invalidBody } from '../http/common-errors.ts'
import { quotasOf } from '../quota/quotas.ts'
import { imageProblem } from '../outbound/fetch-image.ts'
import { enqueue } from '../queue/enqueue.ts'
import { settingsOf, type Settings } from '../settings.ts'
import type { uploadSchema } from './fields.ts'
import type { TaggingMessage } from './tagging-message.ts'
import { uploadGarment, type StoredUpload } from './upload-garment.ts'

/**
 * Accepts an upload: checks its image URL, stores it and enqueues it. `origin` is the service's URL as the client
 * called it. Throws 400 for an image that must not be fetched, 409 if the uuid is taken by other content, and 429 if
 * too many garments are waiting.
 */
export async function acceptUpload(
  env: Pick<Env, 'DB' | 'TAGGING_QUEUE'>,
  tenantId: string,
  { uuid, image_url: imageUrl, attribute }: z.infer<typeof uploadSchema>,
  origin: string,
  nowMs: number,
): Promise<void> {
  const settings = settingsOf(env)
  const problem = imageProblem(imageUrl, { settings, ownOrigin: origin })
  if (problem !== null) throw invalidBody([`image_url: ${problem}`])
  const stored = await uploadGarment(
    tenantDatabase(env, tenantId),
    tenantId,
    { uuid, imageUrl, attribute, origin },
    { ...uploadLimits(settings), nowMs },
  )
  enqueueUpload(env, tenantId, uuid, stored)
}

/** The limits that a new upload meets. */
export const uploadLimits = (settings: Settings) => ({
  maxWaiting: settings.MAX_WAITING_GARMENTS,
  quotas: quotasOf(settings),
})

/**
 * Enqueues an upload whose turn it is. It is stored, and the sweep sends a lost message again, so the answer does not
 * wait for the queue.
 */
export function enqueueUpload(
  env: Pick<Env, 'TAGGING_QUEUE'>,
  tenantId: string,
  uuid: string,
  stored: StoredUpload | null,
): void {
  if (!stored?.hasTurn) return
  waitUntil(enqueue<TaggingMessage>(env.TAGGING_QUEUE, { tenantId, uuid, pictureId: stored.pictureId }))
}
