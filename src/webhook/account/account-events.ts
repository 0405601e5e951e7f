import { z } from '@hono/zod-openapi'
import { quotaNames } from '../../db/schema.ts'

const timestamp = z.string().openapi({ description: 'When it happened, or was noticed, in ISO 8601.' })
const domain = z.string().openapi({ description: 'Of the tenant that it is about.' })

const common = <Name extends string>(event: Name) => ({ event: z.literal(event), timestamp, domain })

const endpoint = z
  .object({ id: z.string(), host: z.string(), description: z.string() })
  .openapi({ description: 'The webhook endpoint. Its address is given by its host only.' })
const failing = { endpoint, failing_since: z.string() }

const apiKey = {
  api_key: z.object({ id: z.string(), name: z.string(), prefix: z.string() }),
  by: z.string().openapi({ description: 'The name of the member who did it.' }),
}

const quotas = z.array(z.object({ name: z.enum(quotaNames), used: z.number(), limit: z.number() }))

const head = { timestamp: '2026-11-23T12:00:00.000Z', domain: 'shop.example.com' }
const failingEndpoint = {
  endpoint: { id: 'first', host: 'shop.example.com', description: '' },
  failing_since: '2026-11-23T11:00:00.000Z',
}
const key = {
  api_key: { id: '01890a5d-ac96-774b-bcce-b302099a8059', name: 'shop', prefix: 'gt_4fTq9X' },
  by: 'Ann',
}

const description = "Only to the account's webhook."

/** By event, the body of a delivery to the webhook of an account, and an example of it. */
export const accountEventBodies = {
  'endpoint.failing': {
    summary: 'A webhook endpoint has been failing for an hour',
    description,
    schema: z.object({ ...common('endpoint.failing'), ...failing }),
    example: { event: 'endpoint.failing', ...head, ...failingEndpoint },
  },
  'endpoint.disabled': {
    summary: 'A webhook endpoint was switched off by the service',
    description,
    schema: z.object({ ...common('endpoint.disabled'), ...failing, reason: z.string() }),
    example: {
      event: 'endpoint.disabled',
      ...head,
      ...failingEndpoint,
      reason: 'Switched off by the service: every delivery since 2026-11-18T12:00:00.000Z has failed',
    },
  },
  'quota.nearly_reached': {
    summary: 'Nine tenths of a quota are used',
    description,
    schema: z.object({ ...common('quota.nearly_reached'), quotas }),
    example: {
      event: 'quota.nearly_reached',
      ...head,
      quotas: [{ name: 'garments', used: 180_000, limit: 200_000 }],
    },
  },
  'api_key.created': {
    summary: 'An API key was created',
    description,
    schema: z.object({ ...common('api_key.created'), ...apiKey }),
    example: { event: 'api_key.created', ...head, ...key },
  },
  'api_key.revoked': {
    summary: 'An API key was revoked',
    description,
    schema: z.object({ ...common('api_key.revoked'), ...apiKey }),
    example: { event: 'api_key.revoked', ...head, ...key },
  },
} as const

export type AccountWebhookEvent = z.output<(typeof accountEventBodies)[keyof typeof accountEventBodies]['schema']>
