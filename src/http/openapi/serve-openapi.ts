import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../router.ts'
import { describeApi } from './describe-api.ts'

/**
 * Serves the OpenAPI document, which has no envelope because its tools expect none. Anyone may ask, so its text is made
 * once for the last origin.
 */
export function serveOpenApi(app: OpenAPIHono<AppEnv>): void {
  let last = { origin: '', text: '' }
  app.get('/openapi.json', (c) => {
    const { origin } = new URL(c.req.url)
    if (last.origin !== origin) last = { origin, text: JSON.stringify(describeApi(app, origin)) }
    return c.body(last.text, 200, { 'Content-Type': 'application/vnd.oai.openapi+json' })
  })
}
