import { z } from '@hono/zod-openapi'
import { garmentUuid } from '../../garment/fields.ts'

export const configRequest = z.object({
  enabled: z.boolean('must be true or false'),
  url: z.string('must be a string').default(''),
  secret: z.string('must be a string').default(''),
  headers: z.record(z.string(), z.string('must be a string')).default({}),
})

export const configSchema = z
  .object({
    enabled: z.boolean(),
    url: z.string(),
    secret: z.string(),
    headers: z.record(z.string(), z.string()),
    disabled_reason: z.string().optional(),
  })
  .openapi('WebhookConfig')

export const uuidQuery = z.object({ uuid: garmentUuid })

export const redeliverRequest = z.object({ uuid: garmentUuid })

export const attemptsQuery = z.object({
  uuid: garmentUuid,
  limit: z.coerce.number('must be a number').int('must be a whole number').min(1).max(100).default(50),
  cursor: z.string().optional(),
})

export const deliverySchema = z
  .object({
    uuid: z.string(),
    garment_uuid: z.string(),
    status: z.enum(['pending', 'delivered', 'permanently_failed']),
    attempt_count: z.int(),
    last_attempt_at: z.string(),
    next_attempt_at: z.string().nullable(),
    last_error: z.string(),
    response_status: z.int(),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .openapi('WebhookDelivery')

const attemptFields = {
  duration_ms: z.int(),
  response_status: z.int(),
  error: z.string(),
  response_body: z.string(),
}

export const attemptsSchema = z
  .object({
    attempts: z.array(z.object({ at: z.string(), ...attemptFields, trigger: z.enum(['automatic', 'manual']) })),
    next_cursor: z.string().nullable(),
  })
  .openapi('WebhookAttempts')

export const testResultSchema = z
  .object({ status: z.enum(['delivered', 'failed']), ...attemptFields })
  .openapi('WebhookTestResult')
