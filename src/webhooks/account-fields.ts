import { z } from '@hono/zod-openapi'
import { deliveryStatuses } from '../platform/db/schema.ts'
import { accountEventNames } from '../events/record-events.ts'

/** The body of a new webhook of an account. */
export const accountWebhookRequest = z.object({
  url: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .openapi({ description: 'https and public, at most 2,048 characters.' }),
  enabled: z.boolean('must be true or false').default(true),
})

export type NewAccountWebhook = z.output<typeof accountWebhookRequest>

const webhook = z.object({
  url: z.string().openapi({ description: 'Empty if none is configured.' }),
  enabled: z.boolean(),
})

export const accountWebhookSchema = z
  .object({
    ...webhook.shape,
    disabled_reason: z
      .string()
      .optional()
      .openapi({ description: 'Why the service has switched it off; absent if it has not.' }),
  })
  .openapi('AccountWebhook')

export const storedAccountWebhookSchema = z
  .object({
    ...webhook.shape,
    secret: z
      .string()
      .optional()
      .openapi({ description: 'In this response only, where a new one was made; absent if the webhook had one.' }),
  })
  .openapi('StoredAccountWebhook')

export const accountSecretSchema = z.object({ secret: z.string() }).openapi('AccountWebhookSecret')

export const accountDeliveriesSchema = z
  .object({
    deliveries: z.array(
      z.object({
        id: z.string().openapi({ description: 'What your system gets as `webhook-id` and `X-Delivery-ID`.' }),
        event: z.enum(accountEventNames),
        created_at: z.string(),
        status: z.enum(deliveryStatuses),
        attempt_count: z.int().openapi({ description: 'Attempts made so far.' }),
        next_attempt_at: z.string().nullable().openapi({ description: 'ISO 8601; null once it has ended.' }),
        last_error: z.string().openapi({ description: 'Empty if there was none.' }),
        response_status: z.int().openapi({ description: 'The status of the latest answer; 0 if there was none.' }),
      }),
    ),
  })
  .openapi('AccountWebhookDeliveries')
