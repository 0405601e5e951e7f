import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../router.ts'
import { describeApi } from './describe-api.ts'

/** Serves the OpenAPI document, which has no envelope because its tools expect none. */
export function serveOpenApi(app: OpenAPIHono<AppEnv>): void {
  app.get('/openapi.json', (c) => {
    const document = describeApi(app, new URL(c.req.url).origin)
    return c.body(JSON.stringify(document), 200, { 'Content-Type': 'application/vnd.oai.openapi+json' })
  })
}
