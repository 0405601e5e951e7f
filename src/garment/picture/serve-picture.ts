import { waitUntil } from 'cloudflare:workers'
import type { Context } from 'hono'
import type { AppEnv } from '../../http/router.ts'
import { pictureNotFound } from '../errors/garment-errors.ts'

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
