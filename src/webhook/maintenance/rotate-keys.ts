import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { webhookConfigs, webhookEndpoints } from '../../db/schema.ts'
import { log } from '../../log.ts'
import { tableOf, type ConfigRow } from '../config/config-row.ts'
import { decrypt, encrypt, keyIdOf, type EncryptionKeys } from '../config/encrypt.ts'

/**
 * Encrypts at most `limit` configurations again that are encrypted under an old key. Returns how many; once it returns
 * 0, the old keys are no longer needed. One that cannot be decrypted is logged and left unchanged.
 */
export async function reencryptConfigs(db: Database, keys: EncryptionKeys, limit: number): Promise<number> {
  const currentId = await keyIdOf(keys.current)
  const oldIds = await Promise.all(keys.old.map(keyIdOf))
  const outdated = (table: typeof webhookConfigs) =>
    db
      .select()
      .from(table)
      .where(
        inArray(
          table.keyId,
          oldIds.filter((id) => id !== currentId),
        ),
      )
  const rows = await unionAll(outdated(webhookConfigs), outdated(webhookEndpoints)).limit(limit)
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
  const table = tableOf(row.endpoint)
  await db
    .update(table)
    .set({
      secret: row.secret === null ? null : await again(row.secret),
      formerSecret: row.formerSecret === null ? null : await again(row.formerSecret),
      headers: await again(row.headers),
      keyId,
    })
    // Envelopes are never equal, so this holds only while the configuration has not been replaced.
    .where(and(eq(table.tenantId, row.tenantId), eq(table.endpoint, row.endpoint), eq(table.headers, row.headers)))
}

/**
 * Erases at most `limit` former secrets of first endpoints, and as many of further ones, a day after they were
 * replaced. Returns how many.
 */
export async function eraseFormerSecrets(db: Database, nowMs: number, limit: number): Promise<number> {
  const [due] = await unionAll(findExpired(db, webhookConfigs, nowMs), findExpired(db, webhookEndpoints, nowMs)).limit(
    1,
  )
  if (due === undefined) return 0
  const erased = await db.batch([
    eraseStatement(db, webhookConfigs, nowMs, limit),
    eraseStatement(db, webhookEndpoints, nowMs, limit),
  ])
  return erased.flat().length
}

const findExpired = (db: Database, table: typeof webhookConfigs, nowMs: number) =>
  db
    .select({ rowid: sql`rowid` })
    .from(table)
    .where(and(isNotNull(table.formerSecretUntil), lte(table.formerSecretUntil, nowMs)))

function eraseStatement(db: Database, table: typeof webhookConfigs, nowMs: number, limit: number) {
  const expired = findExpired(db, table, nowMs).limit(limit)
  return db
    .update(table)
    .set({ formerSecret: null, formerSecretUntil: null })
    .where(inArray(sql`rowid`, expired))
    .returning({ one: sql`1` })
}
