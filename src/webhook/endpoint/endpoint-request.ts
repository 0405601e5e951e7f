import { z } from '@hono/zod-openapi'
import { defaultEvents, eventNames } from '../../events/catalogue.ts'
import { configRequest } from '../config/config-request.ts'

const events = z
  .array(z.enum(eventNames))
  .min(1, 'must name an event')
  .openapi({ description: 'The events that it is sent.' })

const maxPerSecond = z
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(100, 'must be at most 100')
  .nullable()
  .openapi({ description: 'Requests a second at most; null without a limit.' })

const expiresIn = z
  .int('must be a whole number')
  .min(60, 'must be at least 60')
  .max(86_400, 'must be at most 86,400')
  .nullable()
  .openapi({
    description:
      'Seconds after which the endpoint is deleted, unless it is changed with this field again before; null if it stays.',
  })

const description = z.string('must be a string').max(200, 'must have at most 200 characters')

const url = z
  .string('must be a string')
  .min(1, 'must not be empty')
  .openapi({ description: 'https and public, at most 2,048 characters.' })

const { secret, headers } = configRequest.shape

/** The body of a new endpoint. */
export const endpointRequest = z.object({
  url,
  description: description.default(''),
  // No `default`: from that of an array, orval writes zod schemas that do not compile.
  events: events
    .optional()
    .openapi({ description: 'The events that it is sent; `tagging.completed` and `tagging.failed` if absent.' })
    .transform((given) => given ?? [...defaultEvents]),
  secret,
  headers,
  enabled: z.boolean('must be true or false').default(true),
  max_per_second: maxPerSecond.default(null),
  expires_in: expiresIn.default(null),
})

/** The body of a change: what is absent stays as it is. */
export const endpointPatch = z.object({
  url: url.optional(),
  description: description.optional(),
  events: events.optional(),
  secret: secret.unwrap().optional(),
  headers: headers.unwrap().optional(),
  enabled: z.boolean('must be true or false').optional(),
  max_per_second: maxPerSecond.optional(),
  expires_in: expiresIn.optional(),
})

export type NewEndpoint = z.infer<typeof endpointRequest>
export type EndpointPatch = z.infer<typeof endpointPatch>
