import type { Context, Env, Hono } from 'hono'
import { methodNotAllowed, notFound, respondWithError } from './errors.ts'
import type { AppEnv } from './router.ts'

/** Answers 405 with `Allow` for every method that a path has no route for. Call it after the last route. */
export function refuseOtherMethods<E extends Env>(app: Hono<E>): void {
  const methodsByPath = new Map<string, Set<string>>()
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue
    const methods = methodsByPath.get(path) ?? new Set()
    methodsByPath.set(path, methods.add(method))
    if (method === 'GET') methods.add('HEAD')
  }
  for (const [path, methods] of methodsByPath) {
    const allow = [...methods].join(', ')
    app.all(path, (c) => {
      throw methodNotAllowed(c.req.path, c.req.method, allow)
    })
  }
}

export function respondNotFound(c: Context): Response {
  return respondWithError(notFound(), c)
}

const notFoundPage = '/docs/404'

/** Examples for operators keep https origins, because their service is not deployed yet. */
const exampleOrigins = /http:\/\/localhost:8787|https:\/\/tagging\.example\.com/g

/** Replaces the origins in examples by the origin of this service. */
function withOrigin(text: string, { origin, pathname }: URL): string {
  if (pathname.startsWith('/docs/operations/')) return text
  const examples = pathname.endsWith('.json') ? /^.*$/s : /<pre tabindex="0"><code>.*?<\/pre>/gs
  return text.replace(examples, (example) => example.replaceAll(exampleOrigins, origin))
}

/** Serves a file below /docs. Browsers get the documentation's page for a missing file. */
export async function serveAsset(c: Context<AppEnv>): Promise<Response> {
  const found = await c.env.ASSETS.fetch(c.req.raw)
  if (found.status === 200 && /\bhtml\b|postman/.test(`${found.headers.get('content-type')} ${c.req.path}`)) {
    const headers = new Headers(found.headers)
    headers.delete('Content-Length')
    return c.newResponse(withOrigin(await found.text(), new URL(c.req.url)), { status: 200, headers })
  }
  if (found.status !== 404) return c.newResponse(found.body, found)
  if (c.req.header('accept')?.includes('text/html') !== true) return respondNotFound(c)
  const page = await c.env.ASSETS.fetch(new URL(notFoundPage, c.req.url))
  const headers = new Headers(page.headers)
  headers.delete('ETag')
  // Not cached, because the next deployment may add the page.
  headers.set('Cache-Control', 'no-store')
  return c.newResponse(page.body, { status: 404, headers })
}
