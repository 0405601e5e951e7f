import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { webhookEndpoints } from '../platform/db/schema.ts'
import { log } from '../log.ts'
import type { ConfigRow } from './endpoints/endpoint.ts'
import { decrypt, encrypt, type EncryptionKeys, encryptionKeysOf, keyIdOf } from './endpoints/encrypt.ts'
import type { Settings } from '../settings.ts'
import { continueEndings } from '../events/transitions.ts'
import { continueRangeRedeliveries } from './deliveries/redeliver.ts'
import { eraseOldAnswers, removeExpiredEndpoints } from './remove-expired.ts'

/**
 * Encrypts at most `limit` configurations again that are encrypted under an old key. Returns how many; once it returns
 * 0, the old keys are no longer needed. What cannot be decrypted is logged and left unchanged, and not tried again, so
 * that it is not in the way of the others.
 */
export async function reencryptConfigs(db: Database, keys: EncryptionKeys, limit: number): Promise<number> {
  const currentId = await keyIdOf(keys.current)
  const oldIds = await Promise.all(keys.old.map(keyIdOf))
  const replacedIds = oldIds.filter((id) => id !== currentId)
  const rows = await db.select().from(webhookEndpoints).where(inArray(webhookEndpoints.keyId, replacedIds)).limit(limit)
  for (const row of rows) await reencryptConfig(db, keys, currentId, row)
  return rows.length
}

async function reencryptConfig(db: Database, keys: EncryptionKeys, keyId: string, row: ConfigRow): Promise<void> {
  const again = async (envelope: string) => {
    try {
      return await encrypt(await decrypt(envelope, keys, row.tenantId), keys, row.tenantId)
    } catch (error) {
      log('error', 'webhook configuration not re-encrypted', { tenant: row.tenantId, key_id: row.keyId, error })
      return envelope
    }
  }
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
    .select({ tenantId: webhookEndpoints.tenantId, endpoint: webhookEndpoints.endpoint })
    .from(webhookEndpoints)
    .where(and(isNotNull(webhookEndpoints.formerSecretUntil), lte(webhookEndpoints.formerSecretUntil, nowMs)))
    .limit(limit)
  const erased = await db
    .update(webhookEndpoints)
    .set({ formerSecret: null, formerSecretUntil: null })
    .where(sql`(tenant_id, endpoint) IN ${expired}`)
    .returning({ one: sql`1` })
  return erased.length
}

/** Each keeps one step far below 50 ms of the database's time. */
const answersInStep = 1000
const secretsInStep = 100
const configsInStep = 25

/** Steps of the pass that erases answers in one sweep: 8,000 attempts and 57 queries. */
const maxErasures = 8

async function eraseAnswers(db: Database, nowMs: number): Promise<number> {
  let count = 0
  for (let step = 0; step < maxErasures; step++) {
    const { erased, hasMore } = await eraseOldAnswers(db, nowMs, answersInStep)
    count += erased
    if (!hasMore) break
  }
  return count
}

interface MaintenanceDeps {
  readonly db: Database
  readonly queue: Queue
  readonly settings: Settings
}

/** One step of each background task of webhooks, some 220 queries at most. One that fails does not stop the others. */
export async function maintainWebhooks({ db, queue, settings }: MaintenanceDeps, nowMs: number): Promise<void> {
  const keys = encryptionKeysOf(settings)
  const tasks = {
    endpointsExpired: removeExpiredEndpoints(db, keys, nowMs),
    deliveriesEnded: continueEndings(db, nowMs),
    rangeRedeliveries: continueRangeRedeliveries({ db, queue }, nowMs),
    configsReencrypted: reencryptConfigs(db, keys, configsInStep),
    formerSecretsErased: eraseFormerSecrets(db, nowMs, secretsInStep),
    answersErased: eraseAnswers(db, nowMs),
  }
  const results = await Promise.allSettled(Object.values(tasks))
  Object.keys(tasks).forEach((task, i) => {
    const result = results[i]
    if (result?.status === 'rejected') log('error', 'webhook maintenance failed', { task, error: result.reason })
    else if (result !== undefined && result.value > 0) log('info', 'webhook maintenance', { task, count: result.value })
  })
}
