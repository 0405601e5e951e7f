import { createRoute, z } from '@hono/zod-openapi'
import { toIso } from '../../time.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import type { DeliveryRow } from '../../events/delivery.ts'
import { type AttemptRow, getDeliveryToEach, listAttempts } from './list-deliveries.ts'
import * as fields from '../webhook-fields.ts'
import { callDeps } from './call-receiver.ts'
import type { Answer } from '../../events/delivery-transitions.ts'
import { gated, gatedJson, tenantGate } from '../../accounts/gate.ts'
import { jsonRequest, optionalJsonBody } from '../../platform/http/body.ts'
import { ok, responses } from '../../platform/http/envelope.ts'
import { byApiKey, createRouter } from '../../platform/http/router.ts'
import { settingsOf } from '../../settings.ts'
import { encryptionKeysOf } from '../endpoints/encrypt.ts'
import { getRangeRedelivery, type RangeRedelivery, redeliver, redeliverRange } from './redeliver.ts'
import { describeEvents, samplePayload } from '../describe-events.ts'
import { sendTestEvent } from './send-test-event.ts'

const toDeliveryResponse = (row: DeliveryRow): z.infer<typeof fields.deliverySchema> => ({
  uuid: row.id,
  garment_uuid: row.garmentUuid,
  status: row.status,
  attempt_count: row.attemptCount,
  last_attempt_at: row.lastAttemptAt === null ? '' : toIso(row.lastAttemptAt),
  next_attempt_at: row.nextAttemptAt === null ? null : toIso(row.nextAttemptAt),
  last_error: deliveryError(row.lastError),
  response_status: row.responseStatus ?? 0,
  created_at: toIso(row.createdAt),
  updated_at: toIso(row.updatedAt),
})

const toAttemptResponse = (row: AttemptRow): z.infer<typeof fields.attemptsSchema>['attempts'][number] => ({
  at: toIso(row.at),
  duration_ms: row.durationMs,
  response_status: row.responseStatus ?? 0,
  error: deliveryError(row.error),
  response_body: row.responseBody ?? '',
  trigger: row.trigger,
})

const toTestResponse = (answer: Answer): z.infer<typeof fields.testResultSchema> => ({
  status: answer.ok ? 'delivered' : 'failed',
  response_status: answer.status ?? 0,
  duration_ms: answer.durationMs,
  error: deliveryError(answer.error),
  response_body: answer.body,
})

const toRangeResponse = (row: RangeRedelivery): z.infer<typeof fields.rangeRedeliverySchema> => ({
  from: toIso(row.fromAt),
  to: toIso(row.until),
  endpoint: row.endpointId,
  status: row.status,
  found: row.found,
  redelivered: row.redelivered,
  position: toIso(row.positionAt),
  has_ended: row.nextAt === null,
  created_at: toIso(row.createdAt),
})

const base = '/garment-tagging/webhook'

const deliveryStatusRoute = createRoute({
  method: 'get',
  path: `${base}/delivery-status`,
  operationId: 'getDeliveryStatus',
  summary: "Get the status of a garment's delivery",
  description:
    'Returns the delivery to the endpoint of `/webhook/config`, or to the given `endpoint`. `endpoints` lists the ' +
    'deliveries to the other endpoints.',
  ...gated,
  request: { query: fields.deliveryQuery },
  responses: responses(fields.deliveryStatusSchema, fields.deliveryStatus, ['delivery_not_found']),
})

const attemptsRoute = createRoute({
  method: 'get',
  path: `${base}/attempts`,
  operationId: 'listDeliveryAttempts',
  summary: "List the attempts of a garment's delivery, oldest first",
  description: 'Returns all attempts, in pages. The first KiB of each receiver response is kept for 7 days.',
  ...gated,
  request: { query: fields.attemptsQuery },
  responses: responses(fields.attemptsSchema, { attempts: [fields.attempt], next_cursor: null }, [
    'delivery_not_found',
  ]),
})

const redeliverRoute = createRoute({
  method: 'post',
  path: `${base}/redeliver`,
  operationId: 'redeliver',
  summary: 'Attempt deliveries again now',
  description:
    "With `uuid`, attempts that garment's delivery once more now. With `from` and `to`, redelivers all ended deliveries " +
    'that were created in that time, in the background. `status` and `endpoint` restrict them.',
  ...gatedJson,
  request: { body: jsonRequest(fields.redeliverRequest, { uuid: '12345' }) },
  responses: responses(z.union([fields.deliverySchema, fields.rangeRedeliverySchema]), fields.delivery, [
    'delivery_not_found',
    'endpoint_not_found',
    'webhook_off',
    'attempt_under_way',
    'redelivery_under_way',
  ]),
})

const redeliveryRoute = createRoute({
  method: 'get',
  path: `${base}/redeliver`,
  operationId: 'getRedelivery',
  summary: 'Get the progress of the last redelivery of a time range',
  description: 'The redelivery runs in the background. `has_ended` is true when all its deliveries have been repeated.',
  ...gated,
  responses: responses(fields.rangeRedeliverySchema, fields.rangeRedelivery, ['redelivery_not_found']),
})

const testRoute = createRoute({
  method: 'post',
  path: `${base}/test`,
  operationId: 'sendTestEvent',
  summary: 'Send a test event now',
  description:
    "Attempts to deliver `webhook.test`, or another event with a sample garment, once. Returns the receiver's response. " +
    'Also works while the endpoint is disabled.',
  security: byApiKey,
  middleware: [tenantGate, optionalJsonBody] as const,
  request: { body: { ...jsonRequest(fields.testRequest, { type: 'tagging.completed' }), required: false } },
  responses: responses(fields.testResultSchema, fields.testResult, ['endpoint_not_found', 'webhook_not_configured']),
})

export const deliveryRoutes = createRouter()
  .openapi(deliveryStatusRoute, async (c) => {
    const { uuid, endpoint } = c.req.valid('query')
    c.set('uuid', uuid)
    const db = c.var.db
    const { delivery, others } = await getDeliveryToEach(db, c.var.tenantId, uuid, endpoint)
    const endpoints = others.map((each) => ({ ...toDeliveryResponse(each), endpoint: each.endpointId }))
    return ok(c, { ...toDeliveryResponse(delivery), endpoints })
  })
  .openapi(attemptsRoute, async (c) => {
    const { uuid, endpoint, ...page } = c.req.valid('query')
    c.set('uuid', uuid)
    const { rows, nextCursor } = await listAttempts(c.var.db, c.var.tenantId, uuid, page, endpoint)
    return ok(c, { attempts: rows.map(toAttemptResponse), next_cursor: nextCursor })
  })
  .openapi(redeliverRoute, async (c) => {
    const { uuid, from = 0, to = 0, endpoint, status } = c.req.valid('json')
    const db = c.var.db
    const nowMs = Date.now()
    if (uuid === undefined) {
      const range = { fromMs: from, untilMs: to, endpointId: endpoint ?? null, status: status ?? null }
      return ok(c, toRangeResponse(await redeliverRange(db, c.var.tenantId, range, nowMs)))
    }
    c.set('uuid', uuid)
    const row = await redeliver(db, c.env.WEBHOOK_QUEUE, c.var.tenantId, uuid, nowMs, 'tagging', endpoint)
    return ok(c, toDeliveryResponse(row))
  })
  .openapi(redeliveryRoute, async (c) => {
    const { tenantId } = c.var
    return ok(c, toRangeResponse(await getRangeRedelivery(c.var.db, tenantId)))
  })
  .openapi(testRoute, async (c) => {
    const settings = settingsOf(c.env)
    const call = callDeps(settings, new URL(c.req.url).origin)
    const deps = { ...call, db: c.var.db, keys: encryptionKeysOf(settings) }
    const { type = 'webhook.test', endpoint } = c.req.valid('json')
    const payload = samplePayload(type, Date.now())
    return ok(c, toTestResponse(await sendTestEvent(deps, c.var.tenantId, { endpointId: endpoint, payload })))
  })

describeEvents(deliveryRoutes)
