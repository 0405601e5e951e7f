import { waitUntil } from 'cloudflare:workers'
import type { z } from 'zod'
import { tenantDatabase } from '../platform/db/databases.ts'
import { ApiError, invalidBody } from '../platform/http/errors.ts'
import { quotasOf } from '../accounts/quotas.ts'
import { imageProblem, type ImagePolicy } from '../platform/outbound/fetch-image.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import { type Settings, settingsOf } from '../settings.ts'
import { toImages, type uploadSchema } from './fields.ts'
import { imageColumns } from './pictures/images.ts'
import type { TaggingMessage } from './turns.ts'
import { type StoredUpload, uploadGarment } from './upload-garment.ts'
import type { MultipartFile } from '../platform/http/multipart.ts'
import type { Attribute } from '../vision/tagging.ts'
import { maxImages } from './pictures/annotated-picture.ts'
import { removeFile } from './pictures/uploaded-file.ts'
import { storeImage } from './pictures/store-image.ts'

/**
 * Accepts an upload: checks its image URLs, stores it and enqueues it. `origin` is the service's URL as the client
 * called it. Throws 400 for an image that must not be fetched, 409 if the uuid is taken by other content, and 429 if
 * too many garments are waiting.
 */
export async function acceptUpload(
  env: Pick<Env, 'DB' | 'TAGGING_QUEUE'>,
  tenantId: string,
  { uuid, attribute, ...given }: z.infer<typeof uploadSchema>,
  origin: string,
  nowMs: number,
): Promise<void> {
  const settings = settingsOf(env)
  const problems = imageProblems(given, { settings, ownOrigin: origin })
  if (problems.length > 0) throw invalidBody(problems)
  const stored = await uploadGarment(
    tenantDatabase(env, tenantId),
    tenantId,
    { uuid, ...imageColumns(toImages(given)), attribute, origin },
    { ...uploadLimits(settings, nowMs), nowMs },
  )
  enqueueUpload(env, tenantId, uuid, stored)
}

/** Why pictures of an upload must not be fetched, each after the name of its field. What is no text is left out. */
export function imageProblems(
  { image_url: first, images }: { readonly image_url?: unknown; readonly images?: unknown },
  policy: ImagePolicy,
): string[] {
  const further = Array.isArray(images) ? images.slice(0, maxImages) : []
  const named: (readonly [string, unknown])[] = [
    ['image_url', first],
    ...further.map((image: unknown, i) => [`images.${i}.url`, urlOf(image)] as const),
  ]
  return named.flatMap(([name, url]) => {
    const problem = typeof url === 'string' ? imageProblem(url.trim(), policy) : null
    return problem === null ? [] : [`${name}: ${problem}`]
  })
}

const urlOf = (image: unknown): unknown =>
  typeof image === 'object' && image !== null && 'url' in image ? image.url : undefined

/** The limits that a new upload meets. */
export const uploadLimits = (settings: Settings, nowMs: number) => ({
  maxWaiting: settings.MAX_WAITING_GARMENTS,
  quotas: quotasOf(settings, nowMs),
})

/**
 * Enqueues an upload whose turn it is. It is stored, and the sweep sends a lost message again, so the answer does not
 * wait for the queue.
 */
function enqueueUpload(
  env: Pick<Env, 'TAGGING_QUEUE'>,
  tenantId: string,
  uuid: string,
  stored: StoredUpload | null,
): void {
  if (!stored?.hasTurn) return
  waitUntil(enqueue<TaggingMessage>(env.TAGGING_QUEUE, { tenantId, uuid, pictureId: stored.pictureId }))
}

interface FileUpload {
  readonly uuid: string
  readonly attribute: Attribute
  readonly file: MultipartFile
  /** Scheme and host that the client called. */
  readonly origin: string
}

/**
 * Accepts an upload of an image file, as `acceptUpload` accepts an address: the same file again changes nothing. Throws
 * what `storeImage` and `uploadGarment` throw.
 */
export async function acceptFile(
  env: Pick<Env, 'DB' | 'PICTURES' | 'TAGGING_QUEUE'>,
  tenantId: string,
  { uuid, attribute, file, origin }: FileUpload,
  nowMs: number,
): Promise<void> {
  const settings = settingsOf(env)
  const deps = { db: tenantDatabase(env, tenantId), pictures: env.PICTURES, settings }
  const { id, imageUrl } = await storeImage(deps, tenantId, file, nowMs)
  const limits = { ...uploadLimits(settings, nowMs), nowMs }
  const stored = await uploadGarment(deps.db, tenantId, { uuid, imageUrl, attribute, origin }, limits).catch(
    async (error: unknown) => {
      // After any other error the garment may be stored, with this file. If it is not, the sweep removes the file.
      if (error instanceof ApiError) await removeFile(deps, tenantId, id)
      throw error
    },
  )
  if (stored === null) await removeFile(deps, tenantId, id)
  enqueueUpload(env, tenantId, uuid, stored)
}
