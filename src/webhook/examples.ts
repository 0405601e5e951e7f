import type { z } from '@hono/zod-openapi'
import type { WebhookConfig } from './config/config-request.ts'
import type { endpointSchema } from './endpoint/endpoint-fields.ts'
import type { NewEndpoint } from './endpoint/endpoint-request.ts'
import type { attemptsSchema, deliverySchema, deliveryStatusSchema, testResultSchema } from './fields.ts'

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
