import { and, asc, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { firstEndpoint, webhookConfigs, webhookEndpoints } from '../../db/schema.ts'
import { withoutRefused } from './custom-headers.ts'
import { decrypt, type EncryptionKeys } from './encrypt.ts'

export type ConfigRow = typeof webhookConfigs.$inferSelect

const storedHeaders = z.record(z.string(), z.string())

/** The endpoints of a tenant are in two tables: its first one, and the others. */
export const tableOf = (endpoint: string) => (endpoint === firstEndpoint ? webhookConfigs : webhookEndpoints)

/** The row of an endpoint in its table. */
export function isEndpoint({ tenantId, endpoint }: Pick<ConfigRow, 'tenantId' | 'endpoint'>) {
  const table = tableOf(endpoint)
  return and(eq(table.tenantId, tenantId), eq(table.endpoint, endpoint))
}

export async function findConfigRow(
  db: Database,
  tenantId: string,
  endpoint = firstEndpoint,
): Promise<ConfigRow | undefined> {
  const [row] = await db.select().from(tableOf(endpoint)).where(isEndpoint({ tenantId, endpoint }))
  return row
}

/** The configured endpoints of a tenant, for a batch: the first one, then the others by age. */
export function configQueries(db: Database, tenantId: string) {
  const configured = (table: typeof webhookConfigs) =>
    db
      .select()
      .from(table)
      .where(and(eq(table.tenantId, tenantId), ne(table.url, '')))
      .orderBy(asc(table.createdAt), asc(table.endpoint))
  return [configured(webhookConfigs), configured(webhookEndpoints)] as const
}

export async function listConfigRows(db: Database, tenantId: string): Promise<ConfigRow[]> {
  return (await db.batch([...configQueries(db, tenantId)])).flat()
}

export async function decryptHeaders(row: ConfigRow, keys: EncryptionKeys): Promise<Record<string, string>> {
  return storedHeaders.parse(JSON.parse(await decrypt(row.headers, keys, row.tenantId)))
}

/** The custom headers to send: without those that have been refused since they were stored. */
export async function decryptSentHeaders(row: ConfigRow, keys: EncryptionKeys): Promise<Record<string, string>> {
  return withoutRefused(await decryptHeaders(row, keys))
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
