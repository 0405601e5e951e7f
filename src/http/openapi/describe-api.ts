import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../router.ts'
import { completeOperation, type OpenApiDocument } from './complete-operation.ts'
import { headers } from './headers.ts'
import { securitySchemes } from './security.ts'

const about = `Tags pictures of garments: send the URL of a picture, and receive its tags, measurements and description by
polling or by a signed webhook.

Every JSON response is the envelope \`{status, data, error, message}\`. Success is always HTTP 200 with the message
\`success!\`. A failure lists in \`error\` what to fix, and names itself in \`code\`. An unknown path is 404, and a method that a path does not have is
405 with \`Allow\`; both are envelopes too.

Only the latest version is supported. Additions never change the meaning of what exists, so ignore fields that you do not
know.`

/** In the order in which the documentation shows them. */
const tags = [
  { name: 'Accounts', description: 'Merchants: signing up and in, passwords and sessions.' },
  { name: 'Tenant and API keys', description: "The merchant's one tenant, and the keys that act for it." },
  { name: 'Garments', description: 'Uploading pictures, and reading, correcting and exporting the results.' },
  { name: 'Imports', description: 'Many garments by one request.' },
  { name: 'Webhook', description: 'Where results are sent, and what became of each delivery.' },
  {
    name: 'Operator',
    description: 'For whoever runs the service. Without `OPERATOR_TOKEN` these endpoints do not exist.',
  },
  { name: 'Health', description: 'For monitors.' },
]

const methods = ['get', 'put', 'post', 'patch', 'delete'] as const

/** The OpenAPI document of a router's endpoints, generated from the schemas that validate their requests. */
export function describeApi(app: OpenAPIHono<AppEnv>, origin: string): OpenApiDocument {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Garment tagging',
      version: 'latest',
      description: about,
      contact: { name: 'Documentation', url: `${origin}/docs/` },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: origin }],
    tags,
  })
  // The generator treats the name of an event as a path.
  const webhooks = Object.entries(document.webhooks ?? {})
  document.webhooks = Object.fromEntries(webhooks.map(([name, event]) => [name.replace(/^\//, ''), event]))
  document.components = { ...document.components, headers, securitySchemes }
  for (const path of Object.values(document.paths ?? {}))
    for (const method of methods) {
      const operation = path[method]
      if (operation !== undefined) completeOperation(operation, method === 'get')
    }
  return document
}
