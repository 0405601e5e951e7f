import { createRoute, z } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
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
import * as fields from './fields.ts'
import { presentAttempt, presentDelivery, presentTestResult } from './present.ts'
import { putConfig } from './put-config.ts'
import { callDependencies, targetPolicy } from './request/dependencies.ts'
import { sendTestEvent } from './request/send-test-event.ts'

const base = '/garment-tagging/webhook'
const gated: [typeof tenantGate] = [tenantGate]
const gatedBody: [typeof tenantGate, typeof jsonBody] = [tenantGate, jsonBody]
const refused = { 401: 'Unauthorized', 429: 'Too many requests' }

const putConfigRoute = createRoute({
  method: 'put',
  path: `${base}/config`,
  middleware: gatedBody,
  request: { body: jsonRequest(configRequest) },
  responses: responses(fields.configSchema, { 400: 'Invalid webhook configuration', ...refused }),
})

const getConfigRoute = createRoute({
  method: 'get',
  path: `${base}/config`,
  middleware: gated,
  responses: responses(fields.configSchema, { 409: 'The stored configuration cannot be decrypted', ...refused }),
})

const putEventsRoute = createRoute({
  method: 'put',
  path: `${base}/events`,
  middleware: gatedBody,
  request: { body: jsonRequest(fields.eventsSchema) },
  responses: responses(fields.eventsSchema, { 400: 'An invalid field', ...refused }),
})

const getEventsRoute = createRoute({
  method: 'get',
  path: `${base}/events`,
  middleware: gated,
  responses: responses(fields.eventsSchema, refused),
})

const deliveryStatusRoute = createRoute({
  method: 'get',
  path: `${base}/delivery-status`,
  middleware: gated,
  request: { query: fields.uuidQuery },
  responses: responses(fields.deliverySchema, { 404: 'Delivery not found', ...refused }),
})

const attemptsRoute = createRoute({
  method: 'get',
  path: `${base}/attempts`,
  middleware: gated,
  request: { query: fields.attemptsQuery },
  responses: responses(fields.attemptsSchema, { 404: 'Delivery not found', ...refused }),
})

const redeliverRoute = createRoute({
  method: 'post',
  path: `${base}/redeliver`,
  middleware: gatedBody,
  request: { body: jsonRequest(fields.redeliverRequest) },
  responses: responses(z.union([fields.deliverySchema, fields.rangeRedeliverySchema]), {
    404: 'Delivery not found',
    409: 'The webhook is off, or an attempt or another redelivery is under way',
    ...refused,
  }),
})

const testRoute = createRoute({
  method: 'post',
  path: `${base}/test`,
  middleware: gated,
  responses: responses(fields.testResultSchema, { 409: 'No webhook URL is configured', ...refused }),
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
