import { createRoute, z } from '@hono/zod-openapi'
import { byKey } from '../audit/record-entry.ts'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter, rejectRequest, type MoreProblems } from '../http/router.ts'
import { settingsOf } from '../settings.ts'
import { configProblems } from './config/config-problems.ts'
import { findConfigRow } from './config/config-row.ts'
import { configRequest } from './config/config-request.ts'
import { encryptionKeysOf } from './config/encrypt.ts'
import { getConfig } from './config/get-config.ts'
import { putEvents } from './config/put-events.ts'
import { configUnreadable, invalidConfig } from './errors.ts'
import * as examples from './examples.ts'
import * as fields from './fields.ts'
import { putConfig } from './put-config.ts'
import { targetPolicy } from './request/deps.ts'

const base = '/garment-tagging/webhook'
const tags = ['Webhook']
const security = byApiKey
const gated: [typeof tenantGate] = [tenantGate]
const gatedBody: [typeof tenantGate, typeof jsonBody] = [tenantGate, jsonBody]

const putConfigRoute = createRoute({
  method: 'put',
  path: `${base}/config`,
  operationId: 'putWebhookConfig',
  summary: 'Replace the webhook configuration',
  description:
    'What is left out is emptied. Disabling the webhook ends every pending delivery. After a change of the secret, ' +
    'the previous one also signs for 24 hours.',
  tags,
  security,
  middleware: gatedBody,
  request: { body: jsonRequest(configRequest, examples.config) },
  responses: responses(fields.configSchema, examples.config, [
    invalidConfig(['URL is required when webhook is enabled']),
  ]),
})

const getConfigRoute = createRoute({
  method: 'get',
  path: `${base}/config`,
  operationId: 'getWebhookConfig',
  summary: 'Get the webhook configuration',
  description: '`disabled_reason` says why the service has disabled it, if it has.',
  tags,
  security,
  middleware: gated,
  responses: responses(fields.configSchema, examples.config, [configUnreadable()]),
})

const putEventsRoute = createRoute({
  method: 'put',
  path: `${base}/events`,
  operationId: 'putWebhookEvents',
  summary: 'Ask for events that are off by default',
  description: 'Of these there is one here: `tagging.corrected`. Endpoints ask for any event by their `events`.',
  tags,
  security,
  middleware: gatedBody,
  request: { body: jsonRequest(fields.eventsSchema, { corrected: true }) },
  responses: responses(fields.eventsSchema, { corrected: true }),
})

const getEventsRoute = createRoute({
  method: 'get',
  path: `${base}/events`,
  operationId: 'getWebhookEvents',
  summary: 'Get which events are sent on request',
  description: 'Of the first endpoint. The others have their own list of events.',
  tags,
  security,
  middleware: gated,
  responses: responses(fields.eventsSchema, { corrected: false }),
})

/** Of what in a body has the right type. */
const problemsOfConfig: MoreProblems = (body, c) => {
  const parts = z.object({
    enabled: z.boolean().catch(false),
    url: z.string().catch(''),
    secret: z.string().catch(''),
    headers: z.record(z.string(), z.string()).catch({}),
  })
  return configProblems(parts.parse(body), targetPolicy(settingsOf(c.env), new URL(c.req.url).origin))
}

export const webhookConfigRoutes = createRouter()
  .openapi(
    putConfigRoute,
    async (c) => {
      const config = c.req.valid('json')
      const settings = settingsOf(c.env)
      const policy = targetPolicy(settings, new URL(c.req.url).origin)
      const deps = { db: tenantDatabase(c.env, c.var.tenantId), keys: encryptionKeysOf(settings), policy }
      await putConfig(deps, c.var.tenantId, config, Date.now(), { by: byKey(c.var.apiKeyId) })
      return ok(c, config)
    },
    rejectRequest(Object.keys(configRequest.shape), problemsOfConfig),
  )
  .openapi(getConfigRoute, async (c) =>
    ok(c, await getConfig(tenantDatabase(c.env, c.var.tenantId), c.var.tenantId, encryptionKeysOf(settingsOf(c.env)))),
  )
  .openapi(putEventsRoute, async (c) => {
    const events = c.req.valid('json')
    const keys = encryptionKeysOf(settingsOf(c.env))
    const { tenantId, apiKeyId } = c.var
    await putEvents(tenantDatabase(c.env, tenantId), keys, tenantId, events, Date.now(), byKey(apiKeyId))
    return ok(c, events)
  })
  .openapi(getEventsRoute, async (c) => {
    const row = await findConfigRow(tenantDatabase(c.env, c.var.tenantId), c.var.tenantId)
    return ok(c, { corrected: row?.events.includes('tagging.corrected') ?? false })
  })
