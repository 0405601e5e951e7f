import { waitUntil } from 'cloudflare:workers'
import type { z } from 'zod'
import type { Database } from '../platform/db/database.ts'
import { ApiError, invalidBody } from '../platform/http/errors.ts'
import { quotasOf } from '../accounts/quotas.ts'
import { imageProblem, type ImagePolicy } from '../platform/outbound/fetch-image.ts'
import { enqueue } from '../platform/queue/enqueue.ts'
import { type Settings, settingsOf } from '../settings.ts'
import { fieldSentences } from '../platform/http/validation.ts'
import { toPictures, type uploadSchema } from './garment-fields.ts'
import { contentOf, type GivenPicture, maxPictures, parsePictures, pictureAt } from './pictures/garment-picture.ts'
import type { Actor } from '../accounts/audit.ts'
import { addPictures, changePictures, type NamedPicture, replacePictures } from './pictures/change-pictures.ts'
import type { TaggingMessage } from './turns.ts'
import { type StoredUpload, uploadGarment } from './upload-garment.ts'
import type { MultipartFile } from '../platform/http/multipart.ts'
import type { Attribute } from '../vision/tagging.ts'
import { removeFile } from './pictures/uploaded-file.ts'
import { type StoredFile, storeImages } from './pictures/store-image.ts'

interface UploadDeps {
  readonly env: Pick<Env, 'TAGGING_QUEUE'>
  readonly db: Database
}

/** Throws like `uploadGarment`, and 400 for an image URL that must not be fetched. */
export async function acceptUpload(
  { env, db }: UploadDeps,
  tenantId: string,
  { uuid, attribute, number, ...given }: z.infer<typeof uploadSchema>,
  origin: string,
  nowMs: number,
): Promise<void> {
  const settings = settingsOf(env)
  const problems = imageProblems(given, { settings, ownOrigin: origin })
  if (problems.length > 0) throw invalidBody(problems)
  const stored = await uploadGarment(
    db,
    tenantId,
    { uuid, pictures: toPictures(given), attribute, origin, number },
    { ...uploadLimits(settings, nowMs), nowMs },
  )
  enqueueUpload(env, tenantId, uuid, stored)
}

interface ChangeDeps {
  readonly env: Pick<Env, 'TAGGING_QUEUE' | 'WEBHOOK_QUEUE'>
  readonly db: Database
}

interface ChangedImages extends Omit<Parameters<typeof changePictures>[2], 'change'> {
  readonly images: readonly NamedPicture[]
}

/** Replaces a garment's pictures. Throws like `changePictures`, and 400 for URLs that must not be fetched. */
export async function acceptImages(
  deps: ChangeDeps,
  tenantId: string,
  { images, origin, ...changed }: ChangedImages & { readonly origin: string },
  nowMs: number,
) {
  const problems = imageProblems({ images }, { settings: settingsOf(deps.env), ownOrigin: origin })
  if (problems.length > 0) throw invalidBody(problems)
  const from = images.flatMap(({ uuid }) => uuid ?? [])
  return await changePictures(
    pictureChangeDeps(deps, nowMs),
    tenantId,
    { ...changed, change: replacePictures(images), from },
    nowMs,
  )
}

/** Adds a picture to a garment, by its URL or as one or more files. Throws like `acceptImages`. */
export async function acceptImage(
  deps: ChangeDeps & FileDeps,
  tenantId: string,
  { uuid, added, kind, origin, by }: AddedImage,
  nowMs: number,
) {
  const add = async (pictures: readonly GivenPicture[]) =>
    await changePictures(pictureChangeDeps(deps, nowMs), tenantId, { uuid, change: addPictures(pictures), by }, nowMs)
  if (typeof added !== 'string')
    return await withFiles(deps, tenantId, added, nowMs, async (files) => {
      const result = await add(files.map((file) => ({ url: null, file, kind })))
      const used = parsePictures(result).map(({ file }) => file?.id)
      return { result, unused: files.filter(({ id }) => !used.includes(id)) }
    })
  const problem = imageProblem(added, { settings: settingsOf(deps.env), ownOrigin: origin })
  if (problem !== null) throw invalidBody([`url: ${problem}`])
  return await add([pictureAt(added, kind)])
}

interface AddedImage {
  readonly uuid: string
  readonly added: string | MultipartFile
  readonly kind: GivenPicture['kind']
  readonly origin: string
  readonly by: Actor
}

export const pictureChangeDeps = ({ env, db }: ChangeDeps, nowMs: number) => ({
  db,
  taggingQueue: env.TAGGING_QUEUE,
  webhookQueue: env.WEBHOOK_QUEUE,
  limits: uploadLimits(settingsOf(env), nowMs),
})

/** Lists why URLs of an upload must not be fetched, each after its field name. Ignores values that are not strings. */
export function imageProblems(
  { image_url: first, images }: { readonly image_url?: unknown; readonly images?: unknown },
  policy: ImagePolicy,
): string[] {
  const further = Array.isArray(images) ? images.slice(0, maxPictures) : []
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

export const uploadLimits = (settings: Settings, nowMs: number) => ({
  maxWaiting: settings.MAX_WAITING_GARMENTS,
  quotas: quotasOf(settings, nowMs),
})

/** The response does not wait for the queue, because the sweep sends lost messages again. */
function enqueueUpload(
  env: Pick<Env, 'TAGGING_QUEUE'>,
  tenantId: string,
  uuid: string,
  stored: StoredUpload | null,
): void {
  if (!stored?.hasTurn) return
  waitUntil(enqueue<TaggingMessage>(env.TAGGING_QUEUE, { tenantId, uuid, revision: stored.revision }))
}

interface FileUpload {
  readonly uuid: string
  readonly attribute: Attribute
  readonly number?: number | undefined
  /** The uploaded file, or several files in its `parts`. */
  readonly file: MultipartFile
  /** What each picture shows. Empty if the client named no kinds. */
  readonly kinds?: readonly GivenPicture['kind'][]
  readonly origin: string
}

/** Throws like `storeImages` and `uploadGarment`, and 400 for other file types and duplicate files. */
export async function acceptFiles(
  deps: UploadDeps & FileDeps,
  tenantId: string,
  { uuid, attribute, number, file, kinds = [], origin }: FileUpload,
  nowMs: number,
): Promise<void> {
  const { env, db } = deps
  const limits = { ...uploadLimits(settingsOf(env), nowMs), nowMs }
  const stored = await withFiles(deps, tenantId, file, nowMs, async (files) => {
    const pictures = files.map((each, place): GivenPicture => ({ url: null, file: each, kind: kinds[place] ?? null }))
    const problems = [
      ...(kinds.length > 0 && kinds.length !== files.length
        ? [`kinds: must be one for each image, null where it is not known: ${kinds.length} for ${files.length}`]
        : []),
      ...(new Set(pictures.map(contentOf)).size < files.length ? [`image: ${fieldSentences.image_twice()}`] : []),
    ]
    if (problems.length > 0) throw invalidBody(problems)
    const upload = { uuid, pictures, attribute, origin, number }
    const result = await uploadGarment(db, tenantId, upload, limits)
    return { result, unused: result === null ? files : [] }
  })
  enqueueUpload(env, tenantId, uuid, stored)
}

interface FileDeps {
  readonly env: Pick<Env, 'PICTURES'>
  readonly db: Database
}

interface Used<T> {
  readonly result: T
  readonly unused: readonly StoredFile[]
}

/** Stores files for `use`, and removes the files that `use` rejects or does not need. */
async function withFiles<T>(
  { env, db }: FileDeps,
  tenantId: string,
  file: MultipartFile,
  nowMs: number,
  use: (files: readonly StoredFile[]) => Promise<Used<T>>,
): Promise<T> {
  const deps = { db, pictures: env.PICTURES, settings: settingsOf(env) }
  const files = await storeImages(deps, tenantId, file, nowMs)
  const remove = async (some: readonly StoredFile[]) => {
    for (const { id } of some) await removeFile(deps, tenantId, id)
  }
  const { result, unused } = await use(files).catch(async (error: unknown) => {
    // After any other error, the garment may be stored with these files. If it is not, the sweep removes them.
    if (error instanceof ApiError) await remove(files)
    throw error
  })
  await remove(unused)
  return result
}
