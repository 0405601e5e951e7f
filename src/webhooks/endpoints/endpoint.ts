import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { z } from '@hono/zod-openapi'
import { ApiError } from '../../platform/http/errors.ts'
import type { Database } from '../../platform/db/database.ts'
import { configEndpointId, webhookEndpoints } from '../../platform/db/schema.ts'
import { decrypt, type EncryptionKeys } from './encrypt.ts'
import { type EndpointRow, isEndpoint } from '../../events/delivery.ts'
import { defaultEvents } from '../../events/catalogue.ts'
import { deliveryError } from '../../events/delivery-error.ts'
import { configSchema, endpointSchema, type NewEndpoint } from '../webhook-fields.ts'
import { toIso } from '../../time.ts'

const storedHeaders = z.record(z.string(), z.string())

export async function findEndpointRow(
  db: Database,
  tenantId: string,
  endpointId = configEndpointId,
): Promise<EndpointRow | undefined> {
  const [row] = await db.select().from(webhookEndpoints).where(isEndpoint(tenantId, endpointId))
  return row
}

/** Selects configured endpoints, the endpoint of `/webhook/config` first, then by age. */
export const listEndpointRows = (db: Database, tenantId: string) =>
  db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.tenantId, tenantId), isNotNull(webhookEndpoints.url)))
    .orderBy(desc(eq(webhookEndpoints.id, configEndpointId)), asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))

export async function decryptHeaders(row: EndpointRow, keys: EncryptionKeys): Promise<Record<string, string>> {
  return row.headers === null ? {} : storedHeaders.parse(JSON.parse(await decrypt(row.headers, keys, row.tenantId)))
}

/** Returns the current secret, and for a day after a replacement the former secret. */
export async function decryptSecrets(row: EndpointRow, keys: EncryptionKeys, nowMs: number): Promise<string[]> {
  const isFormerLive = row.formerSecretUntil !== null && row.formerSecretUntil > nowMs
  const envelopes = [row.secret, isFormerLive ? row.formerSecret : null].filter((envelope) => envelope !== null)
  return await Promise.all(envelopes.map(async (envelope) => await decrypt(envelope, keys, row.tenantId)))
}

export const noFailures = { failingSince: null, disabledReason: null }

/** The fields of a new endpoint that a configuration does not contain. */
export const defaultOptions = {
  description: '',
  events: defaultEvents,
  maxPerSecond: null,
  expiresAt: null,
  ...noFailures,
}

export const nextRevision = sql<number>`${webhookEndpoints.revision} + 1`

/** The columns of a deleted endpoint whose deliveries have not all ended. */
export const deletedColumns = {
  ...defaultOptions,
  enabled: false,
  url: null,
  secret: null,
  formerSecret: null,
  formerSecretUntil: null,
  headers: null,
  keyId: null,
  revision: nextRevision,
}

/** Returns the tenant's configuration, or the defaults. Throws 409 if it was encrypted under a removed key. */
export async function getConfig(db: Database, tenantId: string, keys: EncryptionKeys) {
  const row = await findEndpointRow(db, tenantId)
  if (row === undefined) return { enabled: false, url: '', secret: '', headers: {} }
  return configSchema.parse(await toEndpointResponse(row, keys))
}

async function decryptBoth(row: EndpointRow, keys: EncryptionKeys) {
  try {
    const secret = row.secret === null ? '' : await decrypt(row.secret, keys, row.tenantId)
    return { secret, headers: await decryptHeaders(row, keys) }
  } catch {
    throw new ApiError('webhook_unreadable')
  }
}

const { events: knownEvents } = endpointSchema.shape

export type Endpoint = z.infer<typeof endpointSchema>

/** Returns an endpoint as the API answers it, secret included. Throws 409 if it was encrypted under a removed key. */
export async function toEndpointResponse(row: EndpointRow, keys: EncryptionKeys): Promise<Endpoint> {
  const { id, url, description, enabled, maxPerSecond, expiresAt, disabledReason } = row
  return {
    id,
    url: url ?? '',
    description,
    events: knownEvents.parse(row.events),
    ...(await decryptBoth(row, keys)),
    enabled,
    max_per_second: maxPerSecond,
    ...(expiresAt !== null && { expires_at: toIso(expiresAt) }),
    ...(disabledReason !== null && { disabled_reason: deliveryError(disabledReason) }),
  }
}

export const toOptions = ({
  description,
  events,
  max_per_second: maxPerSecond,
}: Pick<NewEndpoint, 'description' | 'events' | 'max_per_second'>) => ({ description, events, maxPerSecond })

export const expiryOf = (seconds: number | null, nowMs: number) => (seconds === null ? null : nowMs + seconds * 1000)

export async function listEndpoints(db: Database, tenantId: string, keys: EncryptionKeys): Promise<Endpoint[]> {
  const rows = await listEndpointRows(db, tenantId)
  return await Promise.all(rows.map(async (row) => await toEndpointResponse(row, keys)))
}

export async function getEndpointRow(db: Database, tenantId: string, id: string): Promise<EndpointRow> {
  const row = await findEndpointRow(db, tenantId, id)
  if (row === undefined || row.url === null) throw new ApiError('endpoint_not_found')
  return row
}
