import { createRoute, z } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { settingsOf } from '../settings.ts'
import { findConfigRow } from './config/config-row.ts'
import { configRequest } from './config/config-request.ts'
import { encryptionKeysOf } from './config/encrypt.ts'
import { getConfig } from './config/get-config.ts'
import { putEvents } from './config/put-events.ts'
import { getDelivery } from './delivery/get-delivery.ts'
import { listAttempts } from './delivery/list-attempts.ts'
import { redeliverRange } from './delivery/redeliver-range.ts'
import { redeliver } from './delivery/redeliver.ts'
import { describeEvents } from './events.ts'
import * as examples from './examples.ts'
import * as fields from './fields.ts'
import { presentAttempt, presentDelivery, presentTestResult } from './present.ts'
import { putConfig } from './put-config.ts'
import { callDependencies, targetPolicy } from './request/dependencies.ts'
import { sendTestEvent } from './request/send-test-event.ts'

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
    'What is left out is emptied. Switching the webhook off ends every pending delivery. After a change of the secret, ' +
    'the previous one also signs for 24 hours.',
  tags,
  security,
  middleware: gatedBody,
  request: { body: jsonRequest(configRequest, examples.config) },
  responses: responses(fields.configSchema, examples.config, {
    400: [['Invalid webhook configuration', 'URL is required when webhook is enabled']],
  }),
})

const getConfigRoute = createRoute({
  method: 'get',
  path: `${base}/config`,
  operationId: 'getWebhookConfig',
  summary: 'Get the webhook configuration',
  description: '`disabled_reason` says why the service has switched it off, if it has.',
  tags,
  security,
  middleware: gated,
  responses: responses(fields.configSchema, examples.config, {
    409: [
      [
        'Webhook configuration unreadable',
        'The stored secret and headers can no longer be decrypted; put the configuration again.',
      ],
    ],
  }),
})

const putEventsRoute = createRoute({
  method: 'put',
  path: `${base}/events`,
  operationId: 'putWebhookEvents',
  summary: 'Ask for events that are off by default',
  description: 'Of these there is one: `tagging.corrected`.',
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
  tags,
  security,
  middleware: gated,
  responses: responses(fields.eventsSchema, { corrected: false }),
})

const deliveryStatusRoute = createRoute({
  method: 'get',
  path: `${base}/delivery-status`,
  operationId: 'getDeliveryStatus',
  summary: "Get the status of a garment's delivery",
  tags,
  security,
  middleware: gated,
  request: { query: fields.uuidQuery },
  responses: responses(fields.deliverySchema, examples.delivery, examples.deliveryNotFound),
})

const attemptsRoute = createRoute({
  method: 'get',
  path: `${base}/attempts`,
  operationId: 'listDeliveryAttempts',
  summary: "List the attempts of a garment's delivery, oldest first",
  description: 'The first KiB of each answer is kept for 7 days.',
  tags,
  security,
  middleware: gated,
  request: { query: fields.attemptsQuery },
  responses: responses(
    fields.attemptsSchema,
    { attempts: [examples.attempt], next_cursor: null },
    examples.deliveryNotFound,
  ),
})

const redeliverRoute = createRoute({
  method: 'post',
  path: `${base}/redeliver`,
  operationId: 'redeliver',
  summary: 'Attempt deliveries again now',
  description:
    'Either one, by the `uuid` of its garment, or in the background all ended ones created between `from` and `to`.',
  tags,
  security,
  middleware: gatedBody,
  request: { body: jsonRequest(fields.redeliverRequest, { uuid: '12345' }) },
  responses: responses(z.union([fields.deliverySchema, fields.rangeRedeliverySchema]), examples.delivery, {
    ...examples.deliveryNotFound,
    409: [
      ['Webhook is off', 'Switch the webhook on to have a delivery made again.'],
      ['Attempt under way', 'An attempt is being made at the moment; look at its outcome first.'],
      ['Redelivery under way', 'The redelivery of an earlier time range has not ended yet.'],
    ],
  }),
})

const testRoute = createRoute({
  method: 'post',
  path: `${base}/test`,
  operationId: 'sendTestEvent',
  summary: 'Send a test event now',
  description: "One attempt to deliver `webhook.test`. The receiver's answer is the result.",
  tags,
  security,
  middleware: gated,
  responses: responses(fields.testResultSchema, examples.testResult, {
    409: [['Webhook not configured', 'Configure a webhook URL before testing it.']],
  }),
})

export const webhookRoutes = createRouter()
  .openapi(putConfigRoute, async (c) => {
    const config = c.req.valid('json')
    const settings = settingsOf(c.env)
    const policy = targetPolicy(settings, new URL(c.req.url).origin)
    const dependencies = { db: openDatabase(c.env.DB), keys: encryptionKeysOf(settings), policy }
    await putConfig(dependencies, c.var.tenantId, config, Date.now())
    return ok(c, config)
  })
  .openapi(getConfigRoute, async (c) =>
    ok(c, await getConfig(openDatabase(c.env.DB), c.var.tenantId, encryptionKeysOf(settingsOf(c.env)))),
  )
  .openapi(putEventsRoute, async (c) => {
    const events = c.req.valid('json')
    const keys = encryptionKeysOf(settingsOf(c.env))
    await putEvents(openDatabase(c.env.DB), keys, c.var.tenantId, events, Date.now())
    return ok(c, events)
  })
  .openapi(getEventsRoute, async (c) => {
    const row = await findConfigRow(openDatabase(c.env.DB), c.var.tenantId)
    return ok(c, { corrected: row?.sendsCorrections ?? false })
  })
  .openapi(deliveryStatusRoute, async (c) => {
    const { uuid } = c.req.valid('query')
    c.set('uuid', uuid)
    return ok(c, presentDelivery(await getDelivery(openDatabase(c.env.DB), c.var.tenantId, uuid)))
  })
  .openapi(attemptsRoute, async (c) => {
    const { uuid, ...page } = c.req.valid('query')
    c.set('uuid', uuid)
    const { rows, nextCursor } = await listAttempts(openDatabase(c.env.DB), c.var.tenantId, uuid, page)
    return ok(c, { attempts: rows.map(presentAttempt), next_cursor: nextCursor })
  })
  .openapi(redeliverRoute, async (c) => {
    const { uuid, from = '', to = '' } = c.req.valid('json')
    const db = openDatabase(c.env.DB)
    const nowMs = Date.now()
    if (uuid === undefined) {
      await redeliverRange(db, c.var.tenantId, { fromMs: Date.parse(from), untilMs: Date.parse(to) }, nowMs)
      return ok(c, { from, to, accepted_at: new Date(nowMs).toISOString() })
    }
    c.set('uuid', uuid)
    return ok(c, presentDelivery(await redeliver(db, c.env.WEBHOOK_QUEUE, c.var.tenantId, uuid, nowMs)))
  })
  .openapi(testRoute, async (c) => {
    const settings = settingsOf(c.env)
    const call = callDependencies(settings, new URL(c.req.url).origin)
    const dependencies = { ...call, db: openDatabase(c.env.DB), keys: encryptionKeysOf(settings) }
    return ok(c, presentTestResult(await sendTestEvent(dependencies, c.var.tenantId)))
  })

describeEvents(webhookRoutes)
