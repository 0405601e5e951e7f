import { waitUntil } from 'cloudflare:workers'
import type { Context } from 'hono'
import { eq } from 'drizzle-orm'
import { createRoute, z } from '@hono/zod-openapi'
import { type AppEnv, byAnyone, createRouter } from '../../platform/http/router.ts'
import { pictureNotFound } from '../errors.ts'
import { databaseNumberOf, findDatabase } from '../../platform/db/databases.ts'
import { tenantState } from '../../platform/db/schema.ts'
import { pictureKey, thumbnailKey } from './annotated-picture.ts'
import { createLimit } from '../../platform/limits/limit.ts'
import { overloaded } from '../../platform/http/errors.ts'
import { log } from '../../log.ts'
import { makeThumbnail } from '../../vision/image/decode-picture.ts'
import { PictureError } from '../../vision/picture-error.ts'
import { failureResponses } from '../../platform/http/envelope.ts'
import { contentTypes, eraseMetadata } from '../../vision/image/formats.ts'
import { fileKey } from './uploaded-file.ts'

/** How long a data centre keeps its copy. After this time a removed picture is gone everywhere. */
const edgeSeconds = 600
const clientSeconds = 31_536_000

/** Without a body if the picture has the ETag `etag`. */
type Find = (etag: string | undefined) => Promise<R2Object | R2ObjectBody | null>

/** Transforms a picture before it is served. */
type Change = (body: ReadableStream<Uint8Array>, contentType: string) => ReadableStream<Uint8Array>

/**
 * Responds with a picture that `find` reads; throws 404 without one. A place of the network that has sent the picture
 * keeps a copy, so that further views there ask neither the database nor storage. On workers.dev nothing is kept.
 */
export async function servePicture(c: Context<AppEnv>, find: Find, change?: Change): Promise<Response> {
  c.set('isPictureView', true)
  const response = await findResponse(c.req.raw, find, change)
  // With the headers that every response gets.
  return c.newResponse(response.body, response)
}

async function findResponse(request: Request, find: Find, change: Change | undefined): Promise<Response> {
  // Only this one precondition is passed on: storage refuses others with an error.
  const etag = /^(?:W\/)?"([^"]*)"$/.exec(request.headers.get('If-None-Match') ?? '')?.[1]
  const { origin, pathname } = new URL(request.url)
  // Nor with the query: else anybody could fill the cache with copies of one picture.
  if (pathname.includes('%')) throw pictureNotFound()
  const address = origin + pathname
  const precondition: HeadersInit = etag === undefined ? {} : { 'If-None-Match': `"${etag}"` }
  const kept = await caches.default.match(new Request(address, { headers: precondition }))
  if (kept !== undefined) return withMaxAge(kept, clientSeconds)
  const picture = await find(etag)
  if (picture === null) throw pictureNotFound()
  if ('body' in picture) waitUntil(keepCopy(address, find, change))
  return withMaxAge(responseOf(picture, change), clientSeconds)
}

/** Reads the picture once more: of `tee`, what a slow reader has not taken yet would be in memory. */
async function keepCopy(address: string, find: Find, change: Change | undefined): Promise<void> {
  const picture = await find(undefined)
  if (picture !== null) await caches.default.put(address, withMaxAge(responseOf(picture, change), edgeSeconds))
}

function responseOf(picture: R2Object | R2ObjectBody, change: Change | undefined): Response {
  const headers = new Headers({
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    ETag: picture.httpEtag,
  })
  picture.writeHttpMetadata(headers)
  if (!('body' in picture)) return new Response(null, { status: 304, headers })
  return new Response(change?.(picture.body, picture.httpMetadata?.contentType ?? '') ?? picture.body, { headers })
}

function withMaxAge({ body, status, headers: given }: Response, seconds: number): Response {
  const headers = new Headers(given)
  headers.set('Cache-Control', `public, max-age=${seconds}, immutable`)
  headers.delete('CF-Cache-Status')
  return new Response(body, { status, headers })
}

/** Both parts of a picture's address are generated ids. */
const idPattern = /^[\w-]{1,64}$/

/**
 * A tenant's picture, without its body if its ETag is `etag`; null if there is none, or if its tenant was deleted and
 * the picture is still to be removed.
 * @param keyOf its key in storage
 */
export async function findPicture(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  tenantId: string,
  pictureId: string,
  { keyOf, etag }: { readonly keyOf: typeof pictureKey; readonly etag: string | undefined },
): Promise<R2Object | R2ObjectBody | null> {
  if (!idPattern.test(tenantId) || !idPattern.test(pictureId)) return null
  const db = findDatabase(env, databaseNumberOf(tenantId))
  if (db === null) return null
  const [tenant, picture] = await Promise.all([
    db.select({ id: tenantState.tenantId }).from(tenantState).where(eq(tenantState.tenantId, tenantId)),
    env.PICTURES.get(keyOf(tenantId, pictureId), etag === undefined ? {} : { onlyIf: { etagDoesNotMatch: etag } }),
  ])
  return tenant.length === 0 ? null : picture
}

/**
 * An annotated picture takes some 2 MB while it is made small, so an isolate has one at a time, and tenants take turns.
 */
const withSlot = createLimit({
  perKey: 1,
  inAll: 1,
  // A page of the list asks for 24.
  waitingPerKey: 60,
  waitingInAll: 200,
  maxWaitMs: 10_000,
  busy: overloaded,
})

/**
 * The small copy of an annotated picture, which is made when it is first asked for and kept beside the picture; null if
 * there is no such picture. `etag` as for `findPicture`.
 */
export async function findThumbnail(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  tenantId: string,
  pictureId: string,
  etag: string | undefined,
): Promise<R2Object | R2ObjectBody | null> {
  const find = async () => await findPicture(env, tenantId, pictureId, { keyOf: thumbnailKey, etag })
  const found = await find()
  if (found !== null) return found
  const isKept = await withSlot(tenantId, async () => await keepThumbnail(env, tenantId, pictureId))
  return isKept ? await find() : null
}

async function keepThumbnail(env: Pick<Env, 'DB' | 'PICTURES'>, tenantId: string, pictureId: string): Promise<boolean> {
  const picture = await findPicture(env, tenantId, pictureId, { keyOf: pictureKey, etag: undefined })
  if (picture === null || !('body' in picture)) return false
  const thumbnail = await makeThumbnail(await picture.bytes()).catch((error: unknown) => {
    if (!(error instanceof PictureError)) throw error
    log('warn', 'no thumbnail of an annotated picture', { tenant: tenantId, error })
    return null
  })
  if (thumbnail === null) return false
  const key = thumbnailKey(tenantId, pictureId)
  await env.PICTURES.put(key, thumbnail, { httpMetadata: { contentType: 'image/jpeg' } })
  // Whoever removes the picture removes both. If that was before this one was stored, nobody else would.
  const isThere = (await env.PICTURES.head(pictureKey(tenantId, pictureId))) !== null
  if (!isThere) await env.PICTURES.delete(key)
  return isThere
}

const exampleIds = {
  pictureId: '01890a5d-ac96-774b-bcce-b302099a805a',
  fileId: '01890a5d-ac96-774b-bcce-b302099a805b',
}

interface PictureRoute<Path extends string> {
  /** With the parameters `tenantId` and `id`. */
  readonly path: Path
  readonly id: keyof typeof exampleIds
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly contentTypes: readonly string[]
}

/** A route that anybody gets a picture from, as `servePicture` responds. */
export const pictureRoute = <const Path extends string>({ id, contentTypes, ...route }: PictureRoute<Path>) =>
  createRoute({
    method: 'get',
    ...route,
    tags: ['Garments'],
    security: byAnyone,
    request: {
      params: z.object({
        tenantId: z.string().openapi({ example: '01890a5d-ac96-774b-bcce-b302099a8058' }),
        [id]: z.string().openapi({ example: exampleIds[id] }),
      }),
    },
    responses: {
      200: {
        description: 'The picture',
        headers: { ETag: { schema: { type: 'string' }, description: 'For `If-None-Match`.' } },
        content: Object.fromEntries(
          contentTypes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
        ),
      },
      304: { description: 'Not changed since `If-None-Match`' },
      ...failureResponses([pictureNotFound()]),
    },
  })

const originalRoute = pictureRoute({
  path: '/garment-tagging/original/{tenantId}/{fileId}',
  id: 'fileId',
  operationId: 'getOriginalPicture',
  summary: 'Get an uploaded picture',
  description:
    'The address in `original_img` of an export, for shops. It needs no credentials, cannot be guessed and may be cached for a ' +
    'year. What the camera wrote into the file (place, time, device) is left out.',
  contentTypes,
})

/** The originals of files that were uploaded from a device. */
export const originalRoutes = createRouter()

originalRoutes.openAPIRegistry.registerPath(originalRoute)
originalRoutes.get(originalRoute.getRoutingPath(), async (c) => {
  const { tenantId, fileId } = c.req.param()
  const find = async (etag: string | undefined) => await findPicture(c.env, tenantId, fileId, { keyOf: fileKey, etag })
  return await servePicture(c, find, eraseMetadata)
})

const thumbnailRoute = pictureRoute({
  path: '/garment-tagging/annotated/{tenantId}/{pictureId}/thumbnail',
  id: 'pictureId',
  operationId: 'getThumbnail',
  summary: 'Get a small copy of an annotated picture',
  description:
    'For lists: a JPEG of at most 160 pixels on the longest edge, under the address in `annotated_img` with `/thumbnail` ' +
    'behind it. It is made when it is first asked for, and kept as long as the picture.',
  contentTypes: ['image/jpeg'],
})

/** Small copies of annotated pictures. */
export const thumbnailRoutes = createRouter()

thumbnailRoutes.openAPIRegistry.registerPath(thumbnailRoute)
thumbnailRoutes.get(thumbnailRoute.getRoutingPath(), async (c) => {
  const { tenantId, pictureId } = c.req.param()
  return await servePicture(c, async (etag) => await findThumbnail(c.env, tenantId, pictureId, etag))
})
