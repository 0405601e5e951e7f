import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { byKey } from '../audit/record-entry.ts'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { messageSchema, ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter, rejectRequest, type AppEnv, type MoreProblems } from '../http/router.ts'
import { settingsOf } from '../settings.ts'
import { configProblems } from './config/config-problems.ts'
import { encryptionKeysOf } from './config/encrypt.ts'
import { changeEndpoint } from './endpoint/change-endpoint.ts'
import { createEndpoint } from './endpoint/create-endpoint.ts'
import { deleteEndpoint } from './endpoint/delete-endpoint.ts'
import { endpointId, endpointSchema, endpointsSchema } from './endpoint/endpoint-fields.ts'
import { endpointPatch, endpointRequest } from './endpoint/endpoint-request.ts'
import { toEndpointResponse, type Endpoint } from './endpoint/to-endpoint-response.ts'
import { getEndpointRow, listEndpoints } from './endpoint/list-endpoints.ts'
import { configUnreadable, endpointNotFound, invalidConfig, tooManyEndpoints } from './errors.ts'
import * as examples from './examples.ts'
import { targetPolicy } from './request/deps.ts'

const path = '/garment-tagging/webhook/endpoints'
const tags = ['Webhook']
const security = byApiKey
const gated: [typeof tenantGate] = [tenantGate]
const gatedBody: [typeof tenantGate, typeof jsonBody] = [tenantGate, jsonBody]
const params = z.object({ id: endpointId })

const listRoute = createRoute({
  method: 'get',
  path,
  operationId: 'listWebhookEndpoints',
  summary: 'List the webhook endpoints',
  description: 'At most five. The first one is that of `/webhook/config`.',
  tags,
  security,
  middleware: gated,
  responses: responses(endpointsSchema, { endpoints: [examples.endpoint] }, [configUnreadable()]),
})

const createEndpointRoute = createRoute({
  method: 'post',
  path,
  operationId: 'createWebhookEndpoint',
  summary: 'Add a webhook endpoint',
  description:
    'Each has its own deliveries, retries, secret and speed. The first one of a tenant gets the id `first`, unless ' +
    '`/webhook/config` has a URL already.',
  tags,
  security,
  middleware: gatedBody,
  request: { body: jsonRequest(endpointRequest, examples.newEndpoint) },
  responses: responses(endpointSchema, examples.endpoint, [invalidConfig(['url: must be https']), tooManyEndpoints()]),
})

const getRoute = createRoute({
  method: 'get',
  path: `${path}/{id}`,
  operationId: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  description: 'With its headers, and the last four characters of its secret.',
  tags,
  security,
  middleware: gated,
  request: { params },
  responses: responses(endpointSchema, examples.endpoint, [endpointNotFound(), configUnreadable()]),
})

const changeRoute = createRoute({
  method: 'patch',
  path: `${path}/{id}`,
  operationId: 'changeWebhookEndpoint',
  summary: 'Change a webhook endpoint',
  description:
    'What is left out stays as it is. After a change of the secret, the previous one also signs for 24 hours. ' +
    'Disabling an endpoint ends what is pending for it.',
  tags,
  security,
  middleware: gatedBody,
  request: { params, body: jsonRequest(endpointPatch, { events: ['tagging.completed'], max_per_second: 5 }) },
  responses: responses(endpointSchema, examples.endpoint, [
    invalidConfig(['url: must be https']),
    endpointNotFound(),
    configUnreadable(),
  ]),
})

const deleteRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'What is pending for it ends. Its ended deliveries stay until they are removed with their garments.',
  tags,
  security,
  middleware: gated,
  request: { params },
  responses: responses(messageSchema, { message: 'The endpoint was deleted.' }, [endpointNotFound()]),
})

/** Of what in a body has the right type. */
const problemsOfEndpoint: MoreProblems = (body, c) => {
  const parts = z.object({
    url: z.string().catch(''),
    secret: z.string().catch(''),
    headers: z.record(z.string(), z.string()).catch({}),
  })
  return configProblems({ enabled: false, ...parts.parse(body) }, policyOf(c))
}

const policyOf = (c: Context<AppEnv>) => targetPolicy(settingsOf(c.env), new URL(c.req.url).origin)

/** The end of a secret is enough to tell two apart; of a short one it would be half of it. */
const hideSecret = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  secret: endpoint.secret === '' ? '' : `…${endpoint.secret.length < 8 ? '' : endpoint.secret.slice(-4)}`,
})

const depsOf = (c: Context<AppEnv>) => ({
  db: tenantDatabase(c.env, c.var.tenantId),
  keys: encryptionKeysOf(settingsOf(c.env)),
  policy: policyOf(c),
})

async function readEndpoint(c: Context<AppEnv>, id: string) {
  const { db, keys } = depsOf(c)
  return hideSecret(await toEndpointResponse(await getEndpointRow(db, c.var.tenantId, id), keys))
}

export const webhookEndpointRoutes = createRouter()
  .openapi(listRoute, async (c) => {
    const { db, keys } = depsOf(c)
    return ok(c, { endpoints: (await listEndpoints(db, c.var.tenantId, keys)).map(hideSecret) })
  })
  .openapi(
    createEndpointRoute,
    async (c) => {
      const id = await createEndpoint(depsOf(c), c.var.tenantId, c.req.valid('json'), Date.now(), byKey(c.var.apiKeyId))
      return ok(c, await readEndpoint(c, id))
    },
    rejectRequest(Object.keys(endpointRequest.shape), problemsOfEndpoint),
  )
  .openapi(getRoute, async (c) => ok(c, await readEndpoint(c, c.req.valid('param').id)))
  .openapi(
    changeRoute,
    async (c) => {
      const { id } = c.req.valid('param')
      await changeEndpoint(depsOf(c), c.var.tenantId, id, c.req.valid('json'), Date.now(), byKey(c.var.apiKeyId))
      return ok(c, await readEndpoint(c, id))
    },
    rejectRequest(Object.keys(endpointPatch.shape), problemsOfEndpoint),
  )
  .openapi(deleteRoute, async (c) => {
    await deleteEndpoint(depsOf(c), c.var.tenantId, c.req.valid('param').id, Date.now(), byKey(c.var.apiKeyId))
    return ok(c, { message: 'The endpoint was deleted.' })
  })
