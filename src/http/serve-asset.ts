import type { Context } from 'hono'
import { respondNotFound } from './fallback.ts'
import type { AppEnv } from './router.ts'

/** Serves a file below /docs or /assets, with the headers of `_headers`. */
export async function serveAsset(c: Context<AppEnv>): Promise<Response> {
  const found = await c.env.ASSETS.fetch(c.req.raw)
  if (found.status === 404) return respondNotFound(c)
  return c.newResponse(found.body, found)
}
