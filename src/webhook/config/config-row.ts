import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { webhookConfigs } from '../../db/schema.ts'
import { withoutRefused } from './custom-headers.ts'
import { decrypt, type EncryptionKeys } from './encrypt.ts'

export type ConfigRow = typeof webhookConfigs.$inferSelect

const storedHeaders = z.record(z.string(), z.string())

export async function findConfigRow(db: Database, tenantId: string): Promise<ConfigRow | undefined> {
  const [row] = await db.select().from(webhookConfigs).where(eq(webhookConfigs.tenantId, tenantId))
  return row
}

export async function decryptHeaders(row: ConfigRow, keys: EncryptionKeys): Promise<Record<string, string>> {
  return storedHeaders.parse(JSON.parse(await decrypt(row.headers, keys, row.tenantId)))
}

/** The custom headers to send: without those that have been refused since they were stored. */
export async function decryptSentHeaders(row: ConfigRow, keys: EncryptionKeys): Promise<Record<string, string>> {
  return withoutRefused(await decryptHeaders(row, keys))
}

/** The secrets to sign with: the current one first, then the former one until its day is over; none if none is set. */
export async function decryptSecrets(row: ConfigRow, keys: EncryptionKeys, nowMs: number): Promise<string[]> {
  const isFormerLive = row.formerSecretUntil !== null && row.formerSecretUntil > nowMs
  const envelopes = [row.secret, isFormerLive ? row.formerSecret : null].filter((envelope) => envelope !== null)
  return await Promise.all(envelopes.map(async (envelope) => await decrypt(envelope, keys, row.tenantId)))
}
