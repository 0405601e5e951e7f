import { z } from '@hono/zod-openapi'
import { attemptTriggers, deliveryStatuses } from '../db/schema.ts'
import { garmentUuid } from '../garment/fields.ts'
import { endpointId } from './endpoint/endpoint-fields.ts'
import { sampleEvents } from './events.ts'
import { endedStatuses } from './redelivery/redeliver-range.ts'
import { pageLimit } from '../http/validation/page-limit.ts'

export const configSchema = z
  .object({
    enabled: z.boolean(),
    url: z.string(),
    secret: z.string(),
    headers: z.record(z.string(), z.string()),
    disabled_reason: z
      .string()
      .optional()
      .openapi({ description: 'Why the service has switched the webhook off; absent if it has not.' }),
  })
  .openapi('WebhookConfig')

/** The events that are sent only on request. */
export const eventsSchema = z.object({ corrected: z.boolean('must be true or false') }).openapi('WebhookEvents')

export const testRequest = z.object({
  type: z
    .enum(sampleEvents, 'must be a type of event')
    .optional()
    .openapi({ description: '`webhook.test` if absent; others have a sample garment.' }),
  endpoint: endpointId.optional().openapi({ description: 'The first one if absent.' }),
})

const ofEndpoint = endpointId.optional().openapi({ description: 'The id of the endpoint; the first one if absent.' })

export const deliveryQuery = z.object({ uuid: garmentUuid, endpoint: ofEndpoint })

const time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time' })

/** Either a garment or a time range. */
export const redeliverRequest = z
  .object({
    uuid: garmentUuid.optional(),
    from: time.optional().openapi({ description: 'Deliveries created from this time on.' }),
    to: time.optional().openapi({ description: 'Deliveries created before this time.' }),
    endpoint: endpointId
      .optional()
      .openapi({ description: 'The id of the endpoint. If absent, the first one; of a time range, all.' }),
    status: z
      .enum(endedStatuses, 'must be delivered or permanently_failed')
      .optional()
      .openapi({ description: 'Of a time range, only deliveries that ended so; every ended one if absent.' }),
  })
  .superRefine(({ uuid, from, to, status }, context) => {
    const problem = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (uuid !== undefined && status !== undefined) problem('status', 'must not be given together with uuid')
    if (uuid !== undefined && (from !== undefined || to !== undefined))
      problem('uuid', 'must not be given together with from and to')
    else if (uuid === undefined && from === undefined && to === undefined)
      problem('uuid', 'is required, unless from and to are given')
    else if (uuid === undefined && from === undefined) problem('from', 'is required with to')
    else if (uuid === undefined && to === undefined) problem('to', 'is required with from')
    else if (from !== undefined && to !== undefined && Date.parse(from) >= Date.parse(to))
      problem('to', 'must be later than from')
  })

export const attemptsQuery = z.object({
  uuid: garmentUuid,
  endpoint: ofEndpoint,
  limit: pageLimit(100, 50),
  cursor: z.string().optional(),
})

export const deliverySchema = z
  .object({
    uuid: z.string(),
    garment_uuid: z.string(),
    status: z.enum(deliveryStatuses),
    attempt_count: z.int().openapi({ description: 'Attempts made so far.' }),
    last_attempt_at: z.string().openapi({ description: 'ISO 8601; empty before the first attempt.' }),
    next_attempt_at: z.string().nullable().openapi({ description: 'ISO 8601; null once it has ended.' }),
    last_error: z
      .string()
      .openapi({ description: 'Such as `HTTP 500: Internal Server Error`; empty if there was none.' }),
    response_status: z.int().openapi({ description: 'The status of the latest answer; 0 if there was none.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('WebhookDelivery')

export const deliveryStatusSchema = z
  .object({
    ...deliverySchema.shape,
    endpoints: z
      .array(z.object({ ...deliverySchema.shape, endpoint: z.string().openapi({ description: 'Its id.' }) }))
      .openapi({ description: "The deliveries to the tenant's other endpoints." }),
  })
  .openapi('WebhookDeliveryStatus')

const attemptFields = {
  duration_ms: z.int(),
  response_status: z.int(),
  error: z.string(),
  response_body: z.string().openapi({ description: 'The first KiB of the answer.' }),
}

/** The redelivery of a time range that was accepted and continues in the background. */
export const rangeRedeliverySchema = z
  .object({ from: z.string(), to: z.string(), accepted_at: z.string() })
  .openapi('WebhookRangeRedelivery')

export const attemptsSchema = z
  .object({
    attempts: z.array(z.object({ at: z.string(), ...attemptFields, trigger: z.enum(attemptTriggers) })),
    next_cursor: z.string().nullable(),
  })
  .openapi('WebhookAttempts')

export const testResultSchema = z
  .object({ status: z.enum(['delivered', 'failed']), ...attemptFields })
  .openapi('WebhookTestResult')
