import { createRoute } from '@hono/zod-openapi'
import { openDatabase } from '../db/client.ts'
import { settingsOf } from '../settings.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { createRouter } from '../http/router.ts'
import { deliveryRecord, getDelivery } from './delivery/delivery-record.ts'
import * as fields from './config/fields.ts'
import { getConfig } from './config/get-config.ts'
import { listAttempts } from './delivery/list-attempts.ts'
import { outsideOf, targetPolicy } from './request/outside.ts'
import { putConfig } from './config/put-config.ts'
import { redeliver } from './delivery/redeliver.ts'
import { sendTestEvent } from './request/send-test-event.ts'

const base = '/garment-tagging/webhook'
const gated: [typeof tenantGate] = [tenantGate]
const gatedBody: [typeof tenantGate, typeof jsonBody] = [tenantGate, jsonBody]
const refused = { 401: 'Unauthorized', 429: 'Too many requests' }

const putConfigRoute = createRoute({
  method: 'put',
  path: `${base}/config`,
  middleware: gatedBody,
  request: { body: jsonRequest(fields.configRequest) },
  responses: responses(fields.configSchema, { 400: 'Invalid webhook configuration', ...refused }),
})

const getConfigRoute = createRoute({
  method: 'get',
  path: `${base}/config`,
  middleware: gated,
  responses: responses(fields.configSchema, refused),
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
  responses: responses(fields.deliverySchema, {
    404: 'Delivery not found',
    409: 'The webhook is off, or an attempt is under way',
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
    await putConfig(openDatabase(c.env.DB), c.var.tenantId, config, {
      policy: targetPolicy(settings, new URL(c.req.url).origin),
      encryptionKey: settings.ENCRYPTION_KEY,
      now: Date.now(),
    })
    return ok(c, config)
  })
  .openapi(getConfigRoute, async (c) =>
    ok(c, await getConfig(openDatabase(c.env.DB), c.var.tenantId, settingsOf(c.env).ENCRYPTION_KEY)),
  )
  .openapi(deliveryStatusRoute, async (c) => {
    const { uuid } = c.req.valid('query')
    c.set('uuid', uuid)
    return ok(c, deliveryRecord(await getDelivery(openDatabase(c.env.DB), c.var.tenantId, uuid)))
  })
  .openapi(attemptsRoute, async (c) => {
    const { uuid, ...page } = c.req.valid('query')
    c.set('uuid', uuid)
    return ok(c, await listAttempts(openDatabase(c.env.DB), c.var.tenantId, uuid, page))
  })
  .openapi(redeliverRoute, async (c) => {
    const { uuid } = c.req.valid('json')
    c.set('uuid', uuid)
    const { DB, WEBHOOK_QUEUE } = c.env
    return ok(c, deliveryRecord(await redeliver(openDatabase(DB), WEBHOOK_QUEUE, c.var.tenantId, uuid, Date.now())))
  })
  .openapi(testRoute, async (c) => {
    const settings = settingsOf(c.env)
    const { origin } = new URL(c.req.url)
    const { tenantId } = c.var
    const { DB } = c.env
    return ok(c, await sendTestEvent(openDatabase(DB), tenantId, settings.ENCRYPTION_KEY, outsideOf(settings, origin)))
  })
