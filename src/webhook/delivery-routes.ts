import { createRoute, z } from '@hono/zod-openapi'
import { tenantDatabase } from '../db/databases/find-database.ts'
import { tenantGate } from '../gate/middleware.ts'
import { jsonBody, jsonRequest, optionalJsonBody } from '../http/body.ts'
import { ok, responses } from '../http/envelope.ts'
import { byApiKey } from '../http/openapi/security.ts'
import { createRouter } from '../http/router.ts'
import { settingsOf } from '../settings.ts'
import { encryptionKeysOf } from './config/encrypt.ts'
import { getDelivery } from './delivery/get-delivery.ts'
import { listAttempts } from './delivery/list-attempts.ts'
import { redeliverRange } from './delivery/redeliver-range.ts'
import { redeliver } from './delivery/redeliver.ts'
import { attemptUnderWay, deliveryNotFound, redeliveryUnderWay, webhookNotConfigured, webhookOff } from './errors.ts'
import { describeEvents, samplePayload } from './events.ts'
import * as examples from './examples.ts'
import * as fields from './fields.ts'
import { callDeps } from './request/deps.ts'
import { sendTestEvent } from './request/send-test-event.ts'
import { toAttemptResponse, toDeliveryResponse, toTestResponse } from './to-delivery-response.ts'

const base = '/garment-tagging/webhook'
const tags = ['Webhook']
const security = byApiKey
const gated: [typeof tenantGate] = [tenantGate]
const gatedBody: [typeof tenantGate, typeof jsonBody] = [tenantGate, jsonBody]

const deliveryStatusRoute = createRoute({
  method: 'get',
  path: `${base}/delivery-status`,
  operationId: 'getDeliveryStatus',
  summary: "Get the status of a garment's delivery",
  tags,
  security,
  middleware: gated,
  request: { query: fields.uuidQuery },
  responses: responses(fields.deliverySchema, examples.delivery, [deliveryNotFound()]),
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
  responses: responses(fields.attemptsSchema, { attempts: [examples.attempt], next_cursor: null }, [
    deliveryNotFound(),
  ]),
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
  responses: responses(z.union([fields.deliverySchema, fields.rangeRedeliverySchema]), examples.delivery, [
    deliveryNotFound(),
    webhookOff(),
    attemptUnderWay(),
    redeliveryUnderWay(),
  ]),
})

const testRoute = createRoute({
  method: 'post',
  path: `${base}/test`,
  operationId: 'sendTestEvent',
  summary: 'Send a test event now',
  description:
    'One attempt to deliver `webhook.test`, or with a `type` an event of that type with a sample garment, signed like ' +
    "every delivery. The receiver's answer is the result.",
  tags,
  security,
  middleware: [tenantGate, optionalJsonBody] as const,
  request: { body: { content: jsonRequest(fields.testRequest, { type: 'tagging.completed' as const }).content } },
  responses: responses(fields.testResultSchema, examples.testResult, [webhookNotConfigured()]),
})

export const deliveryRoutes = createRouter()
  .openapi(deliveryStatusRoute, async (c) => {
    const { uuid } = c.req.valid('query')
    c.set('uuid', uuid)
    return ok(c, toDeliveryResponse(await getDelivery(tenantDatabase(c.env, c.var.tenantId), c.var.tenantId, uuid)))
  })
  .openapi(attemptsRoute, async (c) => {
    const { uuid, ...page } = c.req.valid('query')
    c.set('uuid', uuid)
    const { rows, nextCursor } = await listAttempts(tenantDatabase(c.env, c.var.tenantId), c.var.tenantId, uuid, page)
    return ok(c, { attempts: rows.map(toAttemptResponse), next_cursor: nextCursor })
  })
  .openapi(redeliverRoute, async (c) => {
    const { uuid, from = '', to = '' } = c.req.valid('json')
    const db = tenantDatabase(c.env, c.var.tenantId)
    const nowMs = Date.now()
    if (uuid === undefined) {
      await redeliverRange(db, c.var.tenantId, { fromMs: Date.parse(from), untilMs: Date.parse(to) }, nowMs)
      return ok(c, { from, to, accepted_at: new Date(nowMs).toISOString() })
    }
    c.set('uuid', uuid)
    return ok(c, toDeliveryResponse(await redeliver(db, c.env.WEBHOOK_QUEUE, c.var.tenantId, uuid, nowMs)))
  })
  .openapi(testRoute, async (c) => {
    const settings = settingsOf(c.env)
    const call = callDeps(settings, new URL(c.req.url).origin)
    const deps = { ...call, db: tenantDatabase(c.env, c.var.tenantId), keys: encryptionKeysOf(settings) }
    const { type = 'webhook.test' } = c.req.valid('json')
    const payload = (nowMs: number) => samplePayload(type, nowMs)
    return ok(c, toTestResponse(await sendTestEvent(deps, c.var.tenantId, payload)))
  })

describeEvents(deliveryRoutes)
