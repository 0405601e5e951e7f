import { createRoute, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { byKey } from '../../accounts/audit.ts'
import { gated, gatedJson } from '../../accounts/gate.ts'
import { jsonRequest } from '../../platform/http/body.ts'
import { messageSchema, ok, responses } from '../../platform/http/envelope.ts'
import { type AppEnv, createRouter, type MoreProblems, rejectRequest } from '../../platform/http/router.ts'
import { settingsOf } from '../../settings.ts'
import { configProblems } from './endpoint-problems.ts'
import { encryptionKeysOf } from './encrypt.ts'
import { changeEndpoint, createEndpoint, deleteEndpoint, putConfig } from './change-endpoint.ts'
import * as fields from '../webhook-fields.ts'
import { type Endpoint, getConfig, getEndpointRow, listEndpoints, toEndpointResponse } from './endpoint.ts'
import { invalidConfig, tooManyEndpoints } from '../webhook-errors.ts'
import { targetPolicy } from '../deliveries/call-receiver.ts'

const path = '/garment-tagging/webhook/endpoints'
const params = z.object({ id: fields.endpointId })

const listRoute = createRoute({
  method: 'get',
  path,
  operationId: 'listWebhookEndpoints',
  summary: 'List the webhook endpoints',
  description: 'At most five. The first is the endpoint of `/webhook/config`.',
  ...gated,
  responses: responses(fields.endpointsSchema, { endpoints: [fields.endpoint] }, ['webhook_unreadable']),
})

const createEndpointRoute = createRoute({
  method: 'post',
  path,
  operationId: 'createWebhookEndpoint',
  summary: 'Add a webhook endpoint',
  description:
    'Each endpoint has its own deliveries, retries, secret and rate limit. If `/webhook/config` has no URL yet, the new ' +
    'endpoint becomes its endpoint, with the id `first`.',
  ...gatedJson,
  request: { body: jsonRequest(fields.endpointRequest, fields.newEndpoint) },
  responses: responses(fields.endpointSchema, fields.endpoint, [
    invalidConfig(['url: must be https']),
    tooManyEndpoints(),
    'account_events',
  ]),
})

const getRoute = createRoute({
  method: 'get',
  path: `${path}/{id}`,
  operationId: 'getWebhookEndpoint',
  summary: 'Get a webhook endpoint',
  description: 'Answers its headers, and the last four characters of its secret.',
  ...gated,
  request: { params },
  responses: responses(fields.endpointSchema, fields.endpoint, ['endpoint_not_found', 'webhook_unreadable']),
})

const changeRoute = createRoute({
  method: 'patch',
  path: `${path}/{id}`,
  operationId: 'changeWebhookEndpoint',
  summary: 'Change a webhook endpoint',
  description:
    'Absent fields stay as they are. After a change of the secret, the previous secret also signs for 24 hours. ' +
    'Disabling an endpoint ends its pending deliveries.',
  ...gatedJson,
  request: { params, body: jsonRequest(fields.endpointPatch, { events: ['tagging.completed'], max_per_second: 5 }) },
  responses: responses(fields.endpointSchema, fields.endpoint, [
    invalidConfig(['url: must be https']),
    'endpoint_not_found',
    'webhook_unreadable',
    'account_events',
  ]),
})

const deleteRoute = createRoute({
  method: 'delete',
  path: `${path}/{id}`,
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'Its pending deliveries end. Ended deliveries stay until they expire or their garments are removed.',
  ...gated,
  request: { params },
  responses: responses(messageSchema, { message: 'The endpoint was deleted.' }, [
    'endpoint_not_found',
    'account_events',
  ]),
})

const configParts = z.object({
  enabled: z.boolean().catch(false),
  url: z.string().trim().catch(''),
  secret: z.string().catch(''),
  headers: z.record(z.string(), z.string()).catch({}),
})

const problemsOfConfig: MoreProblems = (body, c) => configProblems(configParts.parse(body), policyOf(c))

/** The schema already reports a missing URL. */
const problemsOfEndpoint: MoreProblems = (body, c) => problemsOfConfig({ ...body, enabled: false }, c)

const policyOf = (c: Context<AppEnv>) => targetPolicy(settingsOf(c.env), new URL(c.req.url).origin)

/** Shows the last four characters of a secret, to tell secrets apart. Shows none of a short secret. */
const hideSecret = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  secret: endpoint.secret === '' ? '' : `…${endpoint.secret.length < 8 ? '' : endpoint.secret.slice(-4)}`,
})

const depsOf = (c: Context<AppEnv>) => ({
  db: c.var.db,
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
    rejectRequest(Object.keys(fields.endpointRequest.shape), problemsOfEndpoint),
  )
  .openapi(getRoute, async (c) => ok(c, await readEndpoint(c, c.req.valid('param').id)))
  .openapi(
    changeRoute,
    async (c) => {
      const { id } = c.req.valid('param')
      await changeEndpoint(depsOf(c), c.var.tenantId, id, c.req.valid('json'), Date.now(), byKey(c.var.apiKeyId))
      return ok(c, await readEndpoint(c, id))
    },
    rejectRequest(Object.keys(fields.endpointPatch.shape), problemsOfEndpoint),
  )
  .openapi(deleteRoute, async (c) => {
    await deleteEndpoint(depsOf(c), c.var.tenantId, c.req.valid('param').id, Date.now(), byKey(c.var.apiKeyId))
    return ok(c, { message: 'The endpoint was deleted.' })
  })

const base = '/garment-tagging/webhook'

const putConfigRoute = createRoute({
  method: 'put',
  path: `${base}/config`,
  operationId: 'putWebhookConfig',
  summary: 'Replace the webhook configuration',
  description:
    'Absent fields are emptied. Disabling the webhook ends every pending delivery. After a change of the secret, the ' +
    'previous secret also signs for 24 hours.',
  ...gatedJson,
  request: { body: jsonRequest(fields.configRequest, fields.config) },
  responses: responses(fields.configSchema, fields.config, [
    invalidConfig(['URL is required when webhook is enabled']),
  ]),
})

const getConfigRoute = createRoute({
  method: 'get',
  path: `${base}/config`,
  operationId: 'getWebhookConfig',
  summary: 'Get the webhook configuration',
  description: '`disabled_reason` says why the service disabled the webhook; it is absent otherwise.',
  ...gated,
  responses: responses(fields.configSchema, fields.config, ['webhook_unreadable']),
})

export const webhookConfigRoutes = createRouter()
  .openapi(
    putConfigRoute,
    async (c) => {
      const config = c.req.valid('json')
      await putConfig(depsOf(c), c.var.tenantId, config, Date.now(), { by: byKey(c.var.apiKeyId) })
      return ok(c, config)
    },
    rejectRequest(Object.keys(fields.configRequest.shape), problemsOfConfig),
  )
  .openapi(getConfigRoute, async (c) => {
    const { db, keys } = depsOf(c)
    return ok(c, await getConfig(db, c.var.tenantId, keys))
  })
