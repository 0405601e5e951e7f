import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { completeGarment } from '../garments/garment-example.ts'
import { garmentResultSchema } from '../garments/fields.ts'
import { eventNames, events } from '../events/catalogue.ts'
import { noDetails } from '../garments/details.ts'
import type { AppEnv } from '../platform/http/router.ts'
import { newId } from '../platform/db/database.ts'
import { toIso } from '../time.ts'
import { quotaNames } from '../platform/db/schema.ts'
import { encode, type Payload } from './deliveries/build-call.ts'

const timestamp = z.string().openapi({
  description: 'When tagging ended, the correction or deletion was made, or the event happened, in ISO 8601.',
})

const test = z
  .literal(true)
  .optional()
  .openapi({ description: 'Only of an event that you asked for to try your receiver.' })

const failure = garmentResultSchema.omit({ retry: true })

const domain = z.string().openapi({ description: 'Of the tenant that it is about.' })

const failing = z.object({
  domain,
  endpoint: z
    .object({ id: z.string(), host: z.string(), description: z.string() })
    .openapi({ description: 'The webhook endpoint. Its address is given by its host only.' }),
  failing_since: z.string(),
})

/** What an event says beside its name and time. */
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
    by: z.string().openapi({ description: 'The name of the member who did it.' }),
  }),
  nothing: z.object({}),
} as const

const { failure_reason: _reason, failure_code: _code, ...result } = completeGarment

/** A sample of each that is about a garment. */
const samples = {
  result,
  failure: {
    uuid: result.uuid,
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
    ...noDetails,
  },
  uuid: { uuid: result.uuid },
} as const

const sent = {
  ...events,
  'webhook.test': { summary: 'A test event was asked for', body: 'nothing', sample: {} },
} as const

type SentEvent = keyof typeof sent

/** Nothing stands for an empty object, whose type would forbid the other fields. */
type Fields<Body extends keyof typeof bodies> = Body extends 'nothing' ? unknown : z.output<(typeof bodies)[Body]>

type EventOf<Name extends SentEvent> = {
  [Each in Name]: { event: Each; timestamp: string; test?: true } & Fields<(typeof sent)[Each]['body']>
}[Name]

export type WebhookEvent = EventOf<SentEvent>

const at = '2026-11-21T12:00:01.000Z'

const sampleOf = (event: SentEvent, time: string) => {
  const { body, sample } = sent[event]
  return { event, timestamp: time, ...(body in samples ? samples[body as keyof typeof samples] : {}), ...sample }
}

const header = (description: string, example: string) => z.string().openapi({ description, example })

const signature = 'Only with a secret.'

const headersSchema = z.object({
  'User-Agent': header('The sender.', 'Garment-Tagging-Webhook/1.0'),
  'X-Webhook-Event': header('The event, as in the body.', 'tagging.completed'),
  'X-Delivery-ID': header('The id of the delivery, the same on every attempt.', '01890a5d-ac96-774b-bcce-b302099a805b'),
  'webhook-id': header(
    `The id of the delivery, by Standard Webhooks. ${signature}`,
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
})

const retryAfter = {
  'Retry-After': { schema: { type: 'string' as const }, description: 'Seconds or a date, at most 24 hours away.' },
}

export const eventSummary = (event: SentEvent) => sent[event].summary

/** An event with the garment of its sample, to try a receiver, under a uuid that no garment has. */
export function samplePayload(event: SentEvent, nowMs: number): Payload {
  const sample = sampleOf(event, toIso(nowMs))
  return { event, body: encode({ ...sample, ...('uuid' in sample && { uuid: `test-${newId()}` }), test: true }) }
}

/** Adds the webhook requests to the OpenAPI document. */
export function describeEvents(app: OpenAPIHono<AppEnv>): void {
  const described = [...eventNames, 'webhook.test' as const].map((event) => {
    const { body, ...text } = sent[event]
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
