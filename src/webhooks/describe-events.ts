import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { completeGarment } from '../garments/garment-example.ts'
import { garmentResultSchema } from '../garments/garment-fields.ts'
import { eventNames, events } from '../events/catalogue.ts'
import { noDetails } from '../garments/details.ts'
import type { AppEnv } from '../platform/http/router.ts'
import { newId } from '../platform/db/database.ts'
import { toIso } from '../time.ts'
import { quotaNames } from '../platform/db/schema.ts'
import { encode, type Payload } from './deliveries/build-call.ts'

const timestamp = z.string().openapi({
  description: 'When the event happened, in ISO 8601. For `tagging` events: when tagging ended.',
})

const test = z.literal(true).optional().openapi({ description: 'Present only in test events.' })

const failure = garmentResultSchema.omit({ retry: true })

const domain = z.string().openapi({ description: "The tenant's domain." })

const failing = z.object({
  domain,
  endpoint: z
    .object({ id: z.string(), host: z.string(), description: z.string() })
    .openapi({ description: 'The webhook endpoint. Only the host of its URL is sent.' }),
  failing_since: z.string(),
})

/** Schemas of event bodies without the fields that all events share. */
const bodies = {
  result: failure.omit({ failure_reason: true, failure_code: true }),
  failure,
  uuid: z.object({ uuid: z.string() }),
  failing,
  disabled: failing.extend({ reason: z.string() }),
  quotas: z.object({
    domain,
    quotas: z.array(z.object({ name: z.enum(quotaNames), used: z.number(), limit: z.number() })),
  }),
  apiKey: z.object({
    domain,
    api_key: z.object({ id: z.string(), name: z.string(), prefix: z.string() }),
    by: z.string().openapi({ description: 'Name of the member who did it.' }),
  }),
  nothing: z.object({}),
} as const

const { failure_reason: _reason, failure_code: _code, ...result } = completeGarment

const samples = {
  result,
  failure: {
    uuid: result.uuid,
    number: result.number,
    attribute: result.attribute,
    listing: result.listing,
    stage: result.stage,
    sold: result.sold,
    status: 'failed',
    annotated_img: '',
    images: result.images.map((image) => ({
      ...image,
      annotated_img: '',
      cutout_img: '',
      failure_code: 'no_garment' as const,
    })),
    tag: null,
    measurements: null,
    description: '',
    complete: false,
    failure_reason: 'No garment found in the image.',
    failure_code: 'no_garment',
    label: null,
    size: null,
    ...noDetails,
  },
  uuid: { uuid: result.uuid },
} as const

const sendableEvents = {
  ...events,
  'webhook.test': { summary: 'A test event was requested', body: 'nothing', sample: {} },
} as const

type SentEvent = keyof typeof sendableEvents

/** `unknown` stands for a body without fields, because an empty object type would forbid other fields. */
type Fields<Body extends keyof typeof bodies> = Body extends 'nothing' ? unknown : z.output<(typeof bodies)[Body]>

type EventOf<Name extends SentEvent> = {
  [Each in Name]: { event: Each; timestamp: string; test?: true } & Fields<(typeof sendableEvents)[Each]['body']>
}[Name]

export type WebhookEvent = EventOf<SentEvent>

const at = '2026-11-21T12:00:01.000Z'

const sampleOf = (event: SentEvent, time: string) => {
  const { body, sample } = sendableEvents[event]
  return { event, timestamp: time, ...(body in samples ? samples[body as keyof typeof samples] : {}), ...sample }
}

const header = (description: string, example: string) => z.string().openapi({ description, example })

const signature = 'Only if the endpoint has a secret.'

const headersSchema = z.object({
  'User-Agent': header('The sender.', 'Garment-Tagging-Webhook/1.0'),
  'X-Webhook-Event': header('Name of the event, as in the body.', 'tagging.completed'),
  'X-Delivery-ID': header('Id of the delivery, the same on every attempt.', '01890a5d-ac96-774b-bcce-b302099a805b'),
  'webhook-id': header(
    `Id of the delivery, as Standard Webhooks defines it. ${signature}`,
    '01890a5d-ac96-774b-bcce-b302099a805b',
  ).optional(),
  'webhook-timestamp': header(
    `When this attempt was made, in seconds since 1970. ${signature}`,
    '1795262401',
  ).optional(),
  'webhook-signature': header(
    `\`v1,\` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by full stops; one for each live secret, separated by spaces. ${signature}`,
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ).optional(),
  'X-Webhook-Signature': header(
    `\`sha256=\` and the hex of HMAC-SHA256 over the body. ${signature}`,
    'sha256=0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  ).optional(),
  'X-Webhook-Signature-Previous': header(
    'The same with the former secret, for 24 hours after the secret was changed.',
    'sha256=0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  ).optional(),
})

const retryAfter = {
  'Retry-After': { schema: { type: 'string' as const }, description: 'Seconds or a date, at most 24 hours away.' },
}

export const eventSummary = (event: SentEvent) => sendableEvents[event].summary

/** Builds a test event with a sample garment, under a uuid that no garment has. */
export function samplePayload(event: SentEvent, nowMs: number): Payload {
  const sample = sampleOf(event, toIso(nowMs))
  return { event, body: encode({ ...sample, ...('uuid' in sample && { uuid: `test-${newId()}` }), test: true }) }
}

export function describeEvents(app: OpenAPIHono<AppEnv>): void {
  const described = [...eventNames, 'webhook.test' as const].map((event) => {
    const { body, ...text } = sendableEvents[event]
    const { summary, description } = { description: undefined, ...text }
    const schema = z.object({ event: z.literal(event), timestamp, test }).extend(bodies[body].shape)
    return [
      event,
      { summary, ...(description !== undefined && { description }), schema, example: sampleOf(event, at) },
    ] as const
  })
  for (const [event, { schema, example, ...text }] of described)
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: event,
      operationId: event.replaceAll(/\.(.)/g, (_match, letter: string) => letter.toUpperCase()),
      ...text,
      tags: ['Webhook'],
      security: [],
      request: {
        headers: headersSchema,
        body: { required: true, content: { 'application/json': { schema, example } } },
      },
      responses: {
        '2XX': { description: 'Received. Answer within 15 seconds; redirects are not followed.' },
        410: { description: 'Ends the delivery.' },
        429: { description: 'The next attempt waits for `Retry-After`.', headers: retryAfter },
        503: { description: 'The next attempt waits for `Retry-After`.', headers: retryAfter },
        default: { description: 'Everything else is retried, up to nine attempts.' },
      },
    })
}
