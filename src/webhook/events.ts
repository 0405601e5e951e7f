import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { completeGarment } from '../garment/examples.ts'
import { garmentResultSchema } from '../garment/fields.ts'
import { noDetails } from '../garment/result/tagging-details.ts'
import type { AppEnv } from '../http/router.ts'
import { toIso } from '../time.ts'
import { accountEventBodies } from './account/account-events.ts'
import { endpointEvents } from './endpoint/endpoint-request.ts'
import { encode, type Payload } from './request/payload.ts'

const timestamp = z
  .string()
  .openapi({ description: 'When tagging ended, or the correction or deletion was made, in ISO 8601.' })

const failedSchema = garmentResultSchema.omit({ retry: true })
const resultSchema = failedSchema.omit({ failure_reason: true, failure_code: true })

const { failure_reason: _reason, failure_code: _code, ...result } = completeGarment
const at = '2026-11-21T12:00:01.000Z'

/** By event, the body of a delivery and an example of it. */
const events = {
  'tagging.completed': {
    summary: 'A garment was tagged',
    schema: z.object({ event: z.literal('tagging.completed'), timestamp }).extend(resultSchema.shape),
    example: { event: 'tagging.completed', timestamp: at, ...result },
  },
  'tagging.failed': {
    summary: 'A garment could not be tagged',
    schema: z.object({ event: z.literal('tagging.failed'), timestamp }).extend(failedSchema.shape),
    example: {
      event: 'tagging.failed',
      timestamp: at,
      uuid: '12345',
      status: 'failed',
      annotated_img: '',
      tag: null,
      measurements: null,
      description: '',
      complete: false,
      failure_reason: 'No garment found in the image.',
      failure_code: 'no_garment',
      ...noDetails,
    },
  },
  'tagging.corrected': {
    summary: 'A person corrected or confirmed values',
    description:
      'Only for endpoints that ask for it, by their `events` or by `PUT /garment-tagging/webhook/events`. Sent after each ' +
      'correction, confirmation or change of attributes, one for each garment of a CSV too.',
    schema: z.object({ event: z.literal('tagging.corrected'), timestamp }).extend(resultSchema.shape),
    example: { event: 'tagging.corrected', timestamp: at, ...result, corrected: ['Colour'] },
  },
  'garment.deleted': {
    summary: 'A garment was deleted',
    description:
      'Only for endpoints that ask for it by their `events`. Sent when a garment is deleted by a call or in the dashboard, ' +
      'not when its retention ends.',
    schema: z.object({ event: z.literal('garment.deleted'), timestamp, uuid: z.string() }),
    example: { event: 'garment.deleted', timestamp: at, uuid: '12345' },
  },
  'webhook.test': {
    summary: 'A test event was asked for',
    schema: z.object({ event: z.literal('webhook.test'), timestamp }),
    example: { event: 'webhook.test', timestamp: at },
  },
} as const

export type WebhookEvent = z.output<(typeof events)[keyof typeof events]['schema']>

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

/** The events of which there is a sample. */
export const sampleEvents = ['webhook.test', ...endpointEvents] as const

export const eventSummary = (event: keyof typeof events) => events[event].summary

/** An event with the garment of its example, to try a receiver. */
export function samplePayload(event: keyof typeof events, nowMs: number): Payload {
  return { event, body: encode({ ...events[event].example, timestamp: toIso(nowMs) }) }
}

/** Adds the webhook requests to the OpenAPI document. */
export function describeEvents(app: OpenAPIHono<AppEnv>): void {
  for (const [event, { schema, example, ...text }] of Object.entries({ ...events, ...accountEventBodies }))
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
