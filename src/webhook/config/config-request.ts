import { z } from '@hono/zod-openapi'

/** The body of a new configuration. */
export const configRequest = z.object({
  enabled: z.boolean('must be true or false'),
  url: z.string('must be a string').default(''),
  secret: z.string('must be a string').default(''),
  headers: z.record(z.string(), z.string('must be a string')).default({}),
})

export type WebhookConfig = z.infer<typeof configRequest>
