import { and, asc, desc, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { firstEndpoint, webhookEndpoints } from '../../db/schema.ts'
import { withoutRefused } from './custom-headers.ts'
import { decrypt, type EncryptionKeys } from './encrypt.ts'

export type ConfigRow = typeof webhookEndpoints.$inferSelect

const storedHeaders = z.record(z.string(), z.string())

export function isEndpoint({ tenantId, endpoint }: Pick<ConfigRow, 'tenantId' | 'endpoint'>) {
  return and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.endpoint, endpoint))
}

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
