import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import { z } from '@hono/zod-openapi'
import { ApiError } from '../../platform/http/errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { firstEndpoint, webhookEndpoints } from '../../platform/db/schema.ts'
import { decrypt, type EncryptionKeys } from './encrypt.ts'
import { isEndpoint } from '../../events/delivery.ts'
import { defaultEvents, type EventName } from '../../events/catalogue.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { configSchema, endpointSchema, type NewEndpoint } from '../fields.ts'
import { toIso } from '../../time.ts'

export type ConfigRow = typeof webhookEndpoints.$inferSelect

const storedHeaders = z.record(z.string(), z.string())

export async function findConfigRow(
  db: Database,
  tenantId: string,
  endpoint = firstEndpoint,
): Promise<ConfigRow | undefined> {
  const [row] = await db.select().from(webhookEndpoints).where(isEndpoint({ tenantId, endpoint }))
  return row
}

/** The configured endpoints of a tenant: the first one, then the others by age. */
export const listConfigRows = (db: Database, tenantId: string) =>
  db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.tenantId, tenantId), ne(webhookEndpoints.url, '')))
    .orderBy(
      desc(eq(webhookEndpoints.endpoint, firstEndpoint)),
      asc(webhookEndpoints.createdAt),
      asc(webhookEndpoints.endpoint),
    )

/** The custom headers to send. */
export async function decryptHeaders(row: ConfigRow, keys: EncryptionKeys): Promise<Record<string, string>> {
  return row.headers === '' ? {} : storedHeaders.parse(JSON.parse(await decrypt(row.headers, keys, row.tenantId)))
}

/**
 * The secrets to sign with: the current one first, then the former one for a day after it was replaced; empty if none
 * is set.
 */
export async function decryptSecrets(row: ConfigRow, keys: EncryptionKeys, nowMs: number): Promise<string[]> {
  const isFormerLive = row.formerSecretUntil !== null && row.formerSecretUntil > nowMs
  const envelopes = [row.secret, isFormerLive ? row.formerSecret : null].filter((envelope) => envelope !== null)
  return await Promise.all(envelopes.map(async (envelope) => await decrypt(envelope, keys, row.tenantId)))
}

export const noFailures = { failingSince: null, disabledReason: '' }

/** The defaults of an endpoint's fields beyond a configuration's four. */
export const defaultOptions = {
  description: '',
  events: defaultEvents,
  maxPerSecond: null,
  reportedFailing: null,
  reportedReason: '',
  expiresAt: null,
  ...noFailures,
}

/** Asked for by `PUT /garment-tagging/webhook/events`, also before a tenant has a receiver. */
export const onRequest: EventName = 'tagging.corrected'

/** The default, and what was asked for apart from a receiver, which stays when that is deleted. */
export const eventsWithoutReceiver = sql<EventName[]>`iif(
  EXISTS (SELECT 1 FROM json_each(${webhookEndpoints.events}) WHERE value = ${onRequest}),
  ${JSON.stringify([...defaultEvents, onRequest])},
  ${JSON.stringify(defaultEvents)}
)`

/** The columns of an endpoint without a receiver. */
export const emptyConfig = {
  ...defaultOptions,
  events: eventsWithoutReceiver,
  enabled: false,
  url: '',
  secret: null,
  formerSecret: null,
  formerSecretUntil: null,
  headers: '',
  keyId: '',
}

/** The tenant's configuration, or the defaults. Throws 409 if its secrets were encrypted under a removed key. */
export async function getConfig(db: Database, tenantId: string, keys: EncryptionKeys) {
  const row = await findConfigRow(db, tenantId)
  if (row === undefined) return { enabled: false, url: '', secret: '', headers: {} }
  return configSchema.parse(await toEndpointResponse(row, keys))
}

async function decryptBoth(row: ConfigRow, keys: EncryptionKeys) {
  try {
    const secret = row.secret === null ? '' : await decrypt(row.secret, keys, row.tenantId)
    return { secret, headers: await decryptHeaders(row, keys) }
  } catch {
    throw new ApiError('webhook_unreadable')
  }
}

const { events: knownEvents } = endpointSchema.shape

export type Endpoint = z.infer<typeof endpointSchema>

/**
 * A stored endpoint. `disabled_reason` is there only if the service disabled it itself. Throws 409 if its secrets were
 * encrypted under a removed key.
 */
export async function toEndpointResponse(row: ConfigRow, keys: EncryptionKeys): Promise<Endpoint> {
  const { endpoint: id, url, description, enabled, maxPerSecond, expiresAt, disabledReason } = row
  return {
    id,
    url,
    description,
    events: knownEvents.parse(row.events),
    ...(await decryptBoth(row, keys)),
    enabled,
    max_per_second: maxPerSecond,
    ...(expiresAt !== null && { expires_at: toIso(expiresAt) }),
    ...(disabledReason !== '' && { disabled_reason: deliveryError(disabledReason) }),
  }
}

/** The stored form of an endpoint's fields beyond a configuration's four. */
export const toOptions = ({
  description,
  events,
  max_per_second: maxPerSecond,
}: Pick<NewEndpoint, 'description' | 'events' | 'max_per_second'>) => ({ description, events, maxPerSecond })

/** The expiry of an endpoint, from its lifetime in seconds. */
export const expiryOf = (seconds: number | null, nowMs: number) => (seconds === null ? null : nowMs + seconds * 1000)

/** The endpoints of a tenant, the first one first. Throws 409 if one was encrypted under a removed key. */
export async function listEndpoints(db: Database, tenantId: string, keys: EncryptionKeys): Promise<Endpoint[]> {
  const rows = await listConfigRows(db, tenantId)
  return await Promise.all(rows.map(async (row) => await toEndpointResponse(row, keys)))
}

/** Throws 404 for one that does not exist; another tenant's gives the same answer. */
export async function getEndpointRow(db: Database, tenantId: string, id: string): Promise<ConfigRow> {
  const row = await findConfigRow(db, tenantId, id)
  if (row === undefined || row.url === '') throw new ApiError('endpoint_not_found')
  return row
}
