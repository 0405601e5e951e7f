import type { z } from '@hono/zod-openapi'
import { toIso } from '../../time.ts'
import type { ConfigRow } from '../config/config-row.ts'
import type { EncryptionKeys } from '../config/encrypt.ts'
import { readConfig } from '../config/get-config.ts'
import type { EndpointOptions } from '../config/replace-config.ts'
import { endpointSchema } from './endpoint-fields.ts'
import type { NewEndpoint } from './endpoint-request.ts'

const { events: knownEvents } = endpointSchema.shape

export type Endpoint = z.infer<typeof endpointSchema>

/** A stored endpoint. Throws 409 if its secrets were encrypted under a removed key. */
export async function toEndpointResponse(row: ConfigRow, keys: EncryptionKeys): Promise<Endpoint> {
  const { disabled_reason, enabled, url, secret, headers } = await readConfig(row, keys)
  return {
    id: row.endpoint,
    url,
    description: row.description,
    events: knownEvents.parse(row.events),
    secret,
    headers,
    enabled,
    max_per_second: row.maxPerSecond,
    ...(row.expiresAt === null ? {} : { expires_at: toIso(row.expiresAt) }),
    ...(disabled_reason === undefined ? {} : { disabled_reason }),
  }
}

/** The stored form of an endpoint's fields beyond a configuration's four. */
export function toOptions({
  description,
  events,
  max_per_second: maxPerSecond,
}: Pick<NewEndpoint, 'description' | 'events' | 'max_per_second'>): Required<Omit<EndpointOptions, 'expiresAt'>> {
  return {
    description,
    events,
    maxPerSecond,
  }
}

/** The expiry of an endpoint, from its lifetime in seconds. */
export const expiryOf = (seconds: number | null, nowMs: number) => (seconds === null ? null : nowMs + seconds * 1000)
