import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { webhookEndpoints } from '../../db/schema.ts'
import { log } from '../../log.ts'
import { type ConfigRow } from '../config/config-row.ts'
import { decrypt, encrypt, keyIdOf, type EncryptionKeys } from '../config/encrypt.ts'

/**
 * Encrypts at most `limit` configurations again that are encrypted under an old key. Returns how many; once it returns
 * 0, the old keys are no longer needed. One that cannot be decrypted is logged and left unchanged.
 */
export async function reencryptConfigs(db: Database, keys: EncryptionKeys, limit: number): Promise<number> {
  const currentId = await keyIdOf(keys.current)
  const oldIds = await Promise.all(keys.old.map(keyIdOf))
  const replacedIds = oldIds.filter((id) => id !== currentId)
  const rows = await db.select().from(webhookEndpoints).where(inArray(webhookEndpoints.keyId, replacedIds)).limit(limit)
  let count = 0
  for (const row of rows) {
    try {
      await reencryptConfig(db, keys, currentId, row)
      count++
    } catch (error) {
      log('error', 'webhook configuration not re-encrypted', { tenant: row.tenantId, key_id: row.keyId, error })
    }
  }
  return count
}

async function reencryptConfig(db: Database, keys: EncryptionKeys, keyId: string, row: ConfigRow): Promise<void> {
  const again = async (envelope: string) =>
    await encrypt(await decrypt(envelope, keys, row.tenantId), keys, row.tenantId)
  await db
    .update(webhookEndpoints)
    .set({
      secret: row.secret === null ? null : await again(row.secret),
      formerSecret: row.formerSecret === null ? null : await again(row.formerSecret),
      headers: await again(row.headers),
      keyId,
    })
    // Envelopes are never equal, so this holds only while the configuration has not been replaced.
    .where(
      and(
        eq(webhookEndpoints.tenantId, row.tenantId),
        eq(webhookEndpoints.endpoint, row.endpoint),
        eq(webhookEndpoints.headers, row.headers),
      ),
    )
}

/** Erases at most `limit` former secrets a day after they were replaced. Returns how many. */
export async function eraseFormerSecrets(db: Database, nowMs: number, limit: number): Promise<number> {
  const expired = db
    .select({ rowid: sql`rowid` })
    .from(webhookEndpoints)
    .where(and(isNotNull(webhookEndpoints.formerSecretUntil), lte(webhookEndpoints.formerSecretUntil, nowMs)))
    .limit(limit)
  const erased = await db
    .update(webhookEndpoints)
    .set({ formerSecret: null, formerSecretUntil: null })
    .where(inArray(sql`rowid`, expired))
    .returning({ one: sql`1` })
  return erased.length
}
