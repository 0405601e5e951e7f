import { z } from '@hono/zod-openapi'

/** The body of a new configuration. */
export const configRequest = z.object({
  enabled: z.boolean('must be true or false'),
  url: z
    .string('must be a string')
    .default('')
    .openapi({ description: 'Required if enabled: https and public, at most 2,048 characters.' }),
  secret: z
    .string('must be a string')
    .default('')
    .openapi({ description: 'Signs deliveries; at most 256 characters. After `whsec_`, base64 of 24 to 64 bytes.' }),
  headers: z
    .record(z.string(), z.string('must be a string'))
    .default({})
    .openapi({ description: 'Sent with each delivery, at most 20.' }),
})

export type WebhookConfig = z.infer<typeof configRequest>
