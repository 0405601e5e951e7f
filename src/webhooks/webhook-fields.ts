import { z } from '@hono/zod-openapi'
import { defaultEvents, eventNames, sampleEvents } from '../events/catalogue.ts'
import { attemptTriggers, deliveryStatuses } from '../platform/db/schema.ts'
import { garmentUuid } from '../garments/garment-fields.ts'
import { endedStatuses } from '../events/delivery.ts'
import { dateOrTime, pageLimit } from '../platform/http/validation.ts'

export const endpointId = z.string().min(1).max(64).openapi({ example: 'first' })

export const endpointSchema = z
  .object({
    id: z.string().openapi({ description: '`first` for the endpoint of `/webhook/config`.' }),
    url: z.string(),
    description: z.string(),
    events: z.array(z.enum(eventNames)),
    secret: z.string().openapi({ description: 'The last four characters of the secret; empty without a secret.' }),
    headers: z.record(z.string(), z.string()),
    enabled: z.boolean(),
    max_per_second: z.int().nullable(),
    expires_at: z
      .string()
      .optional()
      .openapi({ description: 'When the endpoint is deleted, in ISO 8601; absent if it stays.' }),
    disabled_reason: z
      .string()
      .optional()
      .openapi({ description: 'Why the service disabled the endpoint; absent if it did not.' }),
  })
  .openapi('WebhookEndpoint')

export const endpointsSchema = z.object({ endpoints: z.array(endpointSchema) }).openapi('WebhookEndpoints')

export const configSchema = z
  .object({
    enabled: z.boolean(),
    url: z.string(),
    secret: z.string(),
    headers: z.record(z.string(), z.string()),
    disabled_reason: z
      .string()
      .optional()
      .openapi({ description: 'Why the service disabled the webhook; absent if it did not.' }),
  })
  .openapi('WebhookConfig')

const optionalEndpoint = endpointId
  .optional()
  .openapi({ description: 'Id of the endpoint; that of `/webhook/config` if absent.' })

export const testRequest = z.object({
  type: z
    .enum(sampleEvents)
    .optional()
    .openapi({ description: '`webhook.test` if absent. Other events contain a sample garment.' }),
  endpoint: optionalEndpoint,
})

export const deliveryQuery = z.object({ uuid: garmentUuid, endpoint: optionalEndpoint })

export const redeliverRequest = z
  .object({
    uuid: garmentUuid.optional(),
    from: dateOrTime.optional().openapi({ description: 'Deliveries created from this time on.' }),
    to: dateOrTime.optional().openapi({ description: 'Deliveries created before this time.' }),
    endpoint: endpointId
      .optional()
      .openapi({ description: 'Id of the endpoint. If absent: with `uuid` that of `/webhook/config`, otherwise all.' }),
    status: z
      .enum(endedStatuses, 'must be delivered or permanently_failed')
      .optional()
      .openapi({ description: 'Only deliveries of a time range that ended with this status; all if absent.' }),
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
    else if (from !== undefined && to !== undefined && from >= to) problem('to', 'must be later than from')
  })

export const attemptsQuery = z.object({
  uuid: garmentUuid,
  endpoint: optionalEndpoint,
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
    next_attempt_at: z.string().nullable().openapi({ description: 'ISO 8601; null once the delivery has ended.' }),
    last_error: z
      .string()
      .openapi({ description: 'Such as `HTTP 500: Internal Server Error`; empty without an error.' }),
    response_status: z.int().openapi({ description: 'HTTP status of the latest answer; 0 without an answer.' }),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('WebhookDelivery')

export const deliveryStatusSchema = z
  .object({
    ...deliverySchema.shape,
    endpoints: z
      .array(
        z.object({ ...deliverySchema.shape, endpoint: z.string().openapi({ description: 'Id of the endpoint.' }) }),
      )
      .openapi({ description: "The deliveries to the tenant's other endpoints." }),
  })
  .openapi('WebhookDeliveries')

const attemptFields = {
  duration_ms: z.int(),
  response_status: z.int(),
  error: z.string(),
  response_body: z.string().openapi({ description: 'The first KiB of the answer; empty after 7 days.' }),
}

export const rangeRedeliverySchema = z
  .object({
    from: z.string(),
    to: z.string(),
    endpoint: z.string().nullable().openapi({ description: 'Id of the only endpoint; null for all.' }),
    status: z.enum(endedStatuses).nullable().openapi({ description: 'The only status; null for both.' }),
    found: z
      .int()
      .nullable()
      .openapi({ description: 'How many deliveries matched at the start; null if the range has more than 10,000.' }),
    redelivered: z.int().openapi({ description: 'How many were redelivered so far.' }),
    position: z.string().openapi({ description: 'Deliveries created before this time are done.' }),
    has_ended: z.boolean(),
    created_at: z.string(),
  })
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

export const configRequest = z.object({
  enabled: z.boolean('must be true or false'),
  url: z
    .string('must be a string')
    .trim()
    .default('')
    .openapi({ description: 'Required if enabled: https and public, at most 2,048 characters.' }),
  secret: z
    .string('must be a string')
    .default('')
    .openapi({ description: 'Signs deliveries; at most 256 characters. After `whsec_`, base64 of 24 to 64 bytes.' }),
  headers: z
    .record(z.string(), z.string('must be a string'))
    .default({})
    .openapi({ description: 'At most 20 headers, sent with each delivery.' }),
})

export type WebhookConfig = z.infer<typeof configRequest>

const events = z
  .array(z.enum(eventNames))
  .min(1, 'must name an event')
  .openapi({ description: 'Events that the endpoint receives.' })

const maxPerSecond = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(100, 'must be at most 100')
  .nullable()
  .openapi({ description: 'The most requests a second; null without a limit.' })

const expiresIn = z
  .int('must be a whole number')
  .min(60, 'must be at least 60')
  .max(86_400, 'must be at most 86,400')
  .nullable()
  .openapi({
    description:
      'Seconds until the endpoint is deleted; null if it stays. Sending the field again starts the time anew.',
  })

const url = z
  .string('must be a string')
  .trim()
  .min(1, 'must not be empty')
  .openapi({ description: 'https and public, at most 2,048 characters.' })

/** The body of a change. Absent fields stay as they are. */
export const endpointPatch = z
  .object({
    url,
    description: z.string('must be a string').max(200, 'must have at most 200 characters'),
    events,
    secret: configRequest.shape.secret.unwrap(),
    headers: configRequest.shape.headers.unwrap(),
    enabled: z.boolean('must be true or false'),
    max_per_second: maxPerSecond,
    expires_in: expiresIn,
  })
  .partial()

const { description, enabled } = endpointPatch.shape

export const endpointRequest = z.object({
  url,
  description: description.unwrap().default(''),
  // No `default`, because orval writes zod schemas for a default array that do not compile.
  events: events
    .optional()
    .openapi({ description: 'Events that the endpoint receives; `tagging.completed` and `tagging.failed` if absent.' })
    .transform((events) => events ?? [...defaultEvents]),
  secret: configRequest.shape.secret,
  headers: configRequest.shape.headers,
  enabled: enabled.unwrap().default(true),
  max_per_second: maxPerSecond.default(null),
  expires_in: expiresIn.default(null),
})

export type NewEndpoint = z.infer<typeof endpointRequest>
export type EndpointPatch = z.infer<typeof endpointPatch>

/** Examples in the API reference. */
export const config: WebhookConfig = {
  enabled: true,
  url: 'https://example.com/hooks',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: { Authorization: 'Bearer a-token-of-yours' },
}

export const delivery: z.output<typeof deliverySchema> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a805b',
  garment_uuid: '12345',
  status: 'pending',
  attempt_count: 1,
  last_attempt_at: '2026-11-21T12:00:01.000Z',
  next_attempt_at: '2026-11-21T12:00:06.000Z',
  last_error: 'HTTP 500: Internal Server Error',
  response_status: 500,
  created_at: '2026-11-21T12:00:01.000Z',
  updated_at: '2026-11-21T12:00:01.000Z',
}

export const rangeRedelivery: z.output<typeof rangeRedeliverySchema> = {
  from: '2026-11-21T00:00:00.000Z',
  to: '2026-11-22T00:00:00.000Z',
  endpoint: null,
  status: null,
  found: 1250,
  redelivered: 400,
  position: '2026-11-21T08:15:00.000Z',
  has_ended: false,
  created_at: '2026-11-23T09:00:00.000Z',
}

export const deliveryStatus: z.output<typeof deliveryStatusSchema> = { ...delivery, endpoints: [] }

const storedEndpoint: Omit<NewEndpoint, 'expires_in'> = {
  url: 'https://search.example.com/hooks',
  description: 'The search index',
  events: ['tagging.completed', 'tagging.corrected'],
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  headers: {},
  enabled: true,
  max_per_second: 20,
}

export const newEndpoint: NewEndpoint = { ...storedEndpoint, expires_in: null }

export const endpoint: z.output<typeof endpointSchema> = {
  id: '01890a5d-ac96-774b-bcce-b302099a805c',
  ...storedEndpoint,
  secret: '…LaSw',
}

export const attempt: z.output<typeof attemptsSchema>['attempts'][number] = {
  at: '2026-11-21T12:00:01.000Z',
  duration_ms: 84,
  response_status: 500,
  error: 'HTTP 500: Internal Server Error',
  response_body: 'database is locked',
  trigger: 'automatic',
}

export const testResult: z.output<typeof testResultSchema> = {
  status: 'delivered',
  duration_ms: 84,
  response_status: 200,
  error: '',
  response_body: 'thanks',
}
