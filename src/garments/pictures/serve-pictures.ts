import { waitUntil } from 'cloudflare:workers'
import type { Context } from 'hono'
import { and, eq, not } from 'drizzle-orm'
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi'
import { type AppEnv, byAnyone, createRouter } from '../../platform/http/router.ts'
import { pictureNotFound } from '../garment-errors.ts'
import { hasRow } from '../../platform/db/database.ts'
import { databaseNumberOf, findDatabase } from '../../platform/db/databases.ts'
import { hiddenPictures, tenantState } from '../../platform/db/schema.ts'
import { copyKey } from './stored-copy.ts'
import { type Failures, failureResponses } from '../../platform/http/envelope.ts'
import { contentTypes, eraseMetadata } from '../../vision/image/formats.ts'
import { fileKey } from './uploaded-file.ts'

/** How long a data centre caches a picture. After this time, a removed picture has disappeared everywhere. */
const edgeSeconds = 600
const clientSeconds = 31_536_000

interface DrawnPicture extends Pick<R2Object, 'httpEtag' | 'httpMetadata'> {
  readonly drawn: Uint8Array
}

export type ServedPicture = R2Object | R2ObjectBody | DrawnPicture

/** Returns the picture without a body if its ETag is `etag`. */
type Find = (etag: string | undefined) => Promise<ServedPicture | null>

/** Transforms a picture before it is served. */
type Change = (body: ReadableStream<Uint8Array>, contentType: string) => ReadableStream<Uint8Array>

/**
 * Responds with the picture that `find` reads. Throws 404 without one. The data centre caches the picture, so further
 * views there read neither the database nor storage. On workers.dev nothing is cached. `variant` is the part of the
 * query that changes the picture. It must have few possible values.
 */
export async function servePicture(
  c: Context<AppEnv>,
  find: Find,
  { change, variant = '' }: { readonly change?: Change; readonly variant?: string } = {},
): Promise<Response> {
  c.set('isPictureView', true)
  const response = await findResponse(c.req.raw, find, change, variant)
  return c.newResponse(response.body, response)
}

async function findResponse(request: Request, find: Find, change: Change | undefined, variant: string) {
  // Passes only this header to storage, which throws for invalid preconditions.
  const etag = /^(?:W\/)?"([^"]*)"$/.exec(request.headers.get('If-None-Match') ?? '')?.[1]
  const { origin, pathname } = new URL(request.url)
  // The cache key omits the query. Otherwise anybody could fill the cache with copies of one picture.
  if (pathname.includes('%')) throw pictureNotFound()
  const address = origin + pathname + (variant && `?${variant}`)
  const precondition: HeadersInit = etag === undefined ? {} : { 'If-None-Match': `"${etag}"` }
  const cached = await caches.default.match(new Request(address, { headers: precondition }))
  if (cached !== undefined) return withMaxAge(cached, clientSeconds)
  const picture = await find(etag)
  if (picture === null) throw pictureNotFound()
  if ('body' in picture) waitUntil(find(undefined).then(async (again) => await keepCopy(address, again, change)))
  if ('drawn' in picture) waitUntil(keepCopy(address, picture, change))
  return withMaxAge(responseOf(picture, change), clientSeconds)
}

/** Caches a picture. Stored pictures are read again, because `tee` would buffer what a slow client has not read yet. */
async function keepCopy(address: string, picture: ServedPicture | null, change: Change | undefined): Promise<void> {
  if (picture !== null) await caches.default.put(address, withMaxAge(responseOf(picture, change), edgeSeconds))
}

function responseOf(picture: ServedPicture, change: Change | undefined): Response {
  const type = picture.httpMetadata?.contentType ?? ''
  const headers = new Headers({
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': type,
    ETag: picture.httpEtag,
  })
  if ('drawn' in picture) return new Response(picture.drawn, { headers })
  if (!('body' in picture)) return new Response(null, { status: 304, headers })
  return new Response(change?.(picture.body, type) ?? picture.body, { headers })
}

function withMaxAge({ body, status, headers: given }: Response, seconds: number): Response {
  const headers = new Headers(given)
  headers.set('Cache-Control', `public, max-age=${seconds}, immutable`)
  headers.delete('CF-Cache-Status')
  return new Response(body, { status, headers })
}

const idPattern = /^[\w-]{1,64}$/

/** The end of a cut-out's key, which the key of its copy lacks. */
const variantPattern = /\.[^./]+$/

/**
 * Finds a tenant's picture. Returns it without a body if its ETag is `etag`. Returns null if it does not exist, its
 * tenant was deleted, or its garment is in the bin.
 * @param keyOf returns the picture's key in storage
 * @param inBin finds pictures of garments in the bin too
 */
export async function findPicture(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  tenantId: string,
  pictureId: string,
  {
    keyOf,
    etag,
    inBin = false,
  }: { readonly keyOf: typeof copyKey; readonly etag: string | undefined; readonly inBin?: boolean },
): Promise<R2Object | R2ObjectBody | null> {
  if (!idPattern.test(tenantId) || !idPattern.test(pictureId)) return null
  const db = findDatabase(env, databaseNumberOf(tenantId))
  if (db === null) return null
  const key = keyOf(tenantId, pictureId)
  const isHidden = hasRow(hiddenPictures, eq(hiddenPictures.key, key.replace(variantPattern, '')))
  const [tenant, picture] = await Promise.all([
    db
      .select({ id: tenantState.tenantId })
      .from(tenantState)
      .where(and(eq(tenantState.tenantId, tenantId), inBin ? undefined : not(isHidden))),
    env.PICTURES.get(key, etag === undefined ? {} : { onlyIf: { etagDoesNotMatch: etag } }),
  ])
  return tenant.length === 0 ? null : picture
}

const exampleIds = {
  pictureId: 'kqzrwmhtbxydnplcvgfsjoeiua',
  fileId: '01890a5d-ac96-774b-bcce-b302099a805b',
}

interface PictureRoute {
  readonly path: string
  readonly id: keyof typeof exampleIds
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly contentTypes: readonly string[]
  readonly query?: z.ZodObject
  readonly failures?: Failures
  readonly respond: (c: Context<AppEnv>, tenantId: string, id: string) => Promise<Response>
}

/** Adds a picture route that needs no credentials. */
export function addPictureRoute(
  router: OpenAPIHono<AppEnv>,
  { id, contentTypes, query, failures = [], respond, ...route }: PictureRoute,
): void {
  const described = createRoute({
    method: 'get',
    ...route,
    security: byAnyone,
    request: {
      params: z.object({
        tenantId: z.string().openapi({ example: '01890a5d-ac96-774b-bcce-b302099a8058' }),
        [id]: z.string().openapi({ example: exampleIds[id] }),
      }),
      ...(query && { query }),
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
      ...failureResponses([pictureNotFound(), ...failures]),
    },
  })
  router.openAPIRegistry.registerPath(described)
  router.get(described.getRoutingPath(), async (c) => {
    const { tenantId = '', [id]: picture = '' }: Readonly<Record<string, string>> = c.req.param()
    // Shops' files name pictures with an extension, because some importers require one.
    return await respond(c, tenantId, picture.replace(/\.jpg$/, ''))
  })
}

const serveStored = (keyOf: typeof copyKey) => async (c: Context<AppEnv>, tenantId: string, id: string) =>
  await servePicture(c, async (etag) => await findPicture(c.env, tenantId, id, { keyOf, etag }), {
    change: eraseMetadata,
  })

export const storedPictureRoutes = createRouter()

addPictureRoute(storedPictureRoutes, {
  path: '/garment-tagging/copy/{tenantId}/{pictureId}',
  id: 'pictureId',
  operationId: 'getCopy',
  summary: 'Get the copy of a tagged picture',
  description:
    'A JPEG of at most 1,280 pixels on the longest edge, without lines. Only the dashboard contains its URL, which needs ' +
    'no credentials, cannot be guessed and may be cached for a year.',
  contentTypes: ['image/jpeg'],
  respond: serveStored(copyKey),
})

addPictureRoute(storedPictureRoutes, {
  path: '/garment-tagging/original/{tenantId}/{fileId}',
  id: 'fileId',
  operationId: 'getOriginalPicture',
  summary: 'Get an uploaded picture',
  description:
    'The URL is in `original_img` of an export, for shops. It needs no credentials, cannot be guessed and may be cached ' +
    'for a year. Camera metadata (place, time, device) is removed.',
  contentTypes,
  respond: serveStored(fileKey),
})
