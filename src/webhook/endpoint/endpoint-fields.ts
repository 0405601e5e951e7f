import { z } from '@hono/zod-openapi'
import { eventNames } from '../../events/catalogue.ts'

/** Of an endpoint, which is `first` or the id that it was created with. */
export const endpointId = z.string().min(1).max(64).openapi({ example: 'first' })

export const endpointSchema = z
  .object({
    id: z.string().openapi({ description: '`first` for the one that `/webhook/config` is about.' }),
    url: z.string(),
    description: z.string(),
    events: z.array(z.enum(eventNames)),
    secret: z.string().openapi({ description: 'Its last four characters; empty if there is none.' }),
    headers: z.record(z.string(), z.string()),
    enabled: z.boolean(),
    max_per_second: z.int().nullable(),
    expires_at: z.string().optional().openapi({ description: 'When it is deleted, in ISO 8601; absent if it stays.' }),
    disabled_reason: z
      .string()
      .optional()
      .openapi({ description: 'Why the service has disabled it; absent if it has not.' }),
  })
  .openapi('WebhookEndpoint')

export const endpointsSchema = z.object({ endpoints: z.array(endpointSchema) }).openapi('WebhookEndpoints')
