import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '../../db/client.ts'
import { webhookConfigs } from '../../db/schema.ts'
import { decrypt } from './encrypt.ts'

export type ConfigRow = typeof webhookConfigs.$inferSelect

export interface WebhookConfig {
  readonly enabled: boolean
  readonly url: string
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
}

const storedHeaders = z.record(z.string(), z.string())

export async function findConfigRow(db: Database, tenantId: string): Promise<ConfigRow | undefined> {
  const [row] = await db.select().from(webhookConfigs).where(eq(webhookConfigs.tenantId, tenantId))
  return row
}

export async function openHeaders(row: ConfigRow, encryptionKey: string) {
  return storedHeaders.parse(JSON.parse(await decrypt(row.headers, encryptionKey, row.tenantId)))
}

/** The secrets that sign now: the current one first, then the former one until its day is over; none if none is set. */
export async function openSecrets(row: ConfigRow, encryptionKey: string, nowMs: number): Promise<string[]> {
  const isFormerLive = row.formerSecretUntil !== null && row.formerSecretUntil > nowMs
  const sealed = [row.secret, isFormerLive ? row.formerSecret : null].filter((secret) => secret !== null)
  return Promise.all(sealed.map(async (secret) => decrypt(secret, encryptionKey, row.tenantId)))
}

export async function openConfig(row: ConfigRow, encryptionKey: string): Promise<WebhookConfig> {
  return {
    enabled: row.enabled,
    url: row.url,
    secret: row.secret === null ? '' : await decrypt(row.secret, encryptionKey, row.tenantId),
    headers: await openHeaders(row, encryptionKey),
  }
}
