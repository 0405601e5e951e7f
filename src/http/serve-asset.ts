import type { Context } from 'hono'
import { respondNotFound } from './fallback.ts'
import type { AppEnv } from './router.ts'

/** Of the documentation, for people; `docs/site/not-found.ts` has its text. */
const notFoundPage = '/docs/404'

/** Serves a file below /docs with the headers of `_headers`, and a page of our own where there is none. */
export async function serveAsset(c: Context<AppEnv>): Promise<Response> {
  const found = await c.env.ASSETS.fetch(c.req.raw)
  if (found.status !== 404) return c.newResponse(found.body, found)
  if (c.req.header('accept')?.includes('text/html') !== true) return respondNotFound(c)
  const page = await c.env.ASSETS.fetch(new URL(notFoundPage, c.req.url))
  const headers = new Headers(page.headers)
  headers.delete('ETag')
  // It may exist with the next deployment.
  headers.set('Cache-Control', 'no-store')
  return c.newResponse(page.body, { status: 404, headers })
}
