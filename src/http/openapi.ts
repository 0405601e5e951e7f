import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from './router.ts'

const about = `Tags garment pictures. Every JSON response is the envelope {status, data, error, message}.
Garment endpoints take the headers API-KEY and DOMAIN, tenant endpoints Authorization: Bearer with a sign-in's data.token.`

/** Serves the OpenAPI document, which has no envelope because its tools expect none. */
export function serveOpenApi(app: OpenAPIHono<AppEnv>): void {
  app.get('/openapi.json', (c) => {
    const document = app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Garment tagging', version: 'latest', description: about },
      servers: [{ url: new URL(c.req.url).origin }],
    })
    return c.body(JSON.stringify(document), 200, { 'Content-Type': 'application/vnd.oai.openapi+json' })
  })
}
