import { and, asc, eq, inArray, isNotNull, lte } from 'drizzle-orm'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { endpointDeleted } from '../events/delivery-error.ts'
import { continueEndings } from '../events/end-deliveries.ts'
import { eraseResponseBodies, expireDeliveries, purgeDeliveries } from '../events/remove-deliveries.ts'
import { type EndpointRow, isEndpoint } from '../events/delivery.ts'
import { log } from '../log.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { rangeRedeliveries, webhookEndpoints } from '../platform/db/schema.ts'
import type { Settings } from '../settings.ts'
import { dayMs } from '../time.ts'
import { continueRangeRedeliveries } from './deliveries/redeliver.ts'
import { decrypt, encrypt, type EncryptionKeys, encryptionKeysOf, keyIdOf } from './endpoints/encrypt.ts'
import { deletedColumns, nextRevision } from './endpoints/endpoint.ts'

/**
 * Encrypts at most `limit` configurations again that are encrypted under an old key. Returns how many. After 0, the old
 * keys are no longer needed. A configuration that cannot be decrypted is logged and skipped from then on.
 */
export async function reencryptConfigs(db: Database, keys: EncryptionKeys, limit: number): Promise<number> {
  const currentId = await keyIdOf(keys.current)
  const oldIds = await Promise.all(keys.old.map(keyIdOf))
  const replacedIds = oldIds.filter((id) => id !== currentId)
  const rows = await db.select().from(webhookEndpoints).where(inArray(webhookEndpoints.keyId, replacedIds)).limit(limit)
  for (const row of rows) await reencryptConfig(db, keys, currentId, row)
  return rows.length
}

async function reencryptConfig(db: Database, keys: EncryptionKeys, keyId: string, row: EndpointRow): Promise<void> {
  const { tenantId, id, revision } = row
  const again = async (envelope: string | null) => {
    if (envelope === null) return null
    try {
      return await encrypt(await decrypt(envelope, keys, tenantId), keys, tenantId)
    } catch (error) {
      log('error', 'webhook configuration not re-encrypted', { tenant: tenantId, key_id: row.keyId, error })
      return envelope
    }
  }
  const [secret, formerSecret, headers] = [
    await again(row.secret),
    await again(row.formerSecret),
    await again(row.headers),
  ]
  await db
    .update(webhookEndpoints)
    .set({ secret, formerSecret, headers, keyId, revision: nextRevision })
    // The revision matches only if the configuration was not replaced meanwhile.
    .where(and(isEndpoint(tenantId, id), eq(webhookEndpoints.revision, revision)))
}

/** Erases at most `limit` former secrets a day after they were replaced. Returns how many. */
export async function eraseFormerSecrets(db: Database, nowMs: number, limit: number): Promise<number> {
  const isExpired = and(isNotNull(webhookEndpoints.formerSecretUntil), lte(webhookEndpoints.formerSecretUntil, nowMs))
  const found = await db.select().from(webhookEndpoints).where(isExpired).limit(limit)
  for (const { tenantId, id } of found)
    await db
      .update(webhookEndpoints)
      .set({ formerSecret: null, formerSecretUntil: null, revision: nextRevision })
      .where(and(isEndpoint(tenantId, id), isExpired))
  return found.length
}

/** Deletes at most `limit` expired endpoints. `continueEndings` ends their deliveries and removes the rows. */
export async function removeExpiredEndpoints(db: Database, nowMs: number, limit: number): Promise<number> {
  const isExpired = and(isNotNull(webhookEndpoints.expiresAt), lte(webhookEndpoints.expiresAt, nowMs))
  const found = await db
    .select()
    .from(webhookEndpoints)
    .where(isExpired)
    .orderBy(asc(webhookEndpoints.expiresAt))
    .limit(limit)
  for (const { tenantId, id } of found)
    await db
      .update(webhookEndpoints)
      .set({ ...deletedColumns, updatedAt: nowMs, endedUntil: nowMs, endedReason: endpointDeleted })
      // Skips an endpoint whose expiry was postponed meanwhile.
      .where(and(isEndpoint(tenantId, id), isExpired))
  return found.length
}

const endpointsInSweep = 50
const reencryptionsInSweep = 25

interface MaintenanceDeps {
  readonly db: Database
  readonly queue: Queue
  readonly settings: Settings
}

/** Makes one step of each background task, at most some 250 queries. Each task counts what it did. */
export const maintainWebhooks = ({ db, queue, settings }: MaintenanceDeps, nowMs: number) => ({
  expiredEndpoints: removeExpiredEndpoints(db, nowMs, endpointsInSweep),
  endedDeliveries: continueEndings(db, nowMs),
  rangeRedeliveries: continueRangeRedeliveries({ db, queue }, nowMs),
  oldKeys: reencryptConfigs(db, encryptionKeysOf(settings), reencryptionsInSweep),
  formerSecrets: eraseFormerSecrets(db, nowMs, endpointsInSweep),
})

/** Days until responses of receivers and deliveries without a garment are removed. */
const answerDays = 7

/** Removes at most `limit` expired deliveries. Those about deleted garments and the account expire after 7 days. */
export async function removeExpiredDeliveries(
  db: Database,
  tenants: readonly ExpiringTenant[],
  nowMs: number,
  limit: number,
): Promise<number> {
  const { old, without } = await runBatch(db, {
    old: expireDeliveries(db, tenants, 'deliveries_by_time', limit),
    without: expireDeliveries(db, afterDays(tenants, answerDays, nowMs), 'deliveries_without_garment', limit),
  })
  return Math.max(old.length, without.length)
}

export async function removeOldDeliveries(db: Database, tenants: readonly ExpiringTenant[], limit: number) {
  const { removed } = await runBatch(db, { removed: expireDeliveries(db, tenants, 'deliveries_by_time', limit) })
  return removed.length
}

export const eraseOldAnswers = async (
  db: Database,
  tenants: readonly ExpiringTenant[],
  nowMs: number,
  limit: number,
): Promise<number> => await eraseAnswers(db, afterDays(tenants, answerDays, nowMs), limit)

export async function eraseAnswers(db: Database, tenants: readonly ExpiringTenant[], limit: number): Promise<number> {
  const { erased } = await runBatch(db, { erased: eraseResponseBodies(db, tenants, limit) })
  return erased.length
}

const afterDays = (tenants: readonly ExpiringTenant[], days: number, nowMs: number) =>
  tenants.map(({ id }) => ({ id, beforeMs: nowMs - days * dayMs }))

export async function purgeWebhook(db: Database, tenantId: string, limit: number): Promise<number> {
  const { removed } = await runBatch(db, {
    removed: purgeDeliveries(db, tenantId, limit),
    endpoints: db.delete(webhookEndpoints).where(eq(webhookEndpoints.tenantId, tenantId)),
    redeliveries: db.delete(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId)),
  })
  return removed.length
}
