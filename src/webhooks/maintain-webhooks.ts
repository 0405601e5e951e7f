import { and, asc, eq, gt, inArray, isNotNull, lte, sql } from 'drizzle-orm'
import { type Database, inRows, runBatch } from '../platform/db/database.ts'
import { deliveries, rangeRedeliveries, sweepPositions, webhookEndpoints } from '../platform/db/schema.ts'
import { log } from '../log.ts'
import { type ConfigRow, emptyConfig } from './endpoints/endpoint.ts'
import { decrypt, encrypt, type EncryptionKeys, encryptionKeysOf, keyIdOf } from './endpoints/encrypt.ts'
import type { Settings } from '../settings.ts'
import {
  continueEndings,
  endpointDeleted,
  eraseStatements,
  purgeDeliveries,
  removeExpired,
} from '../events/transitions.ts'
import { continueRangeRedeliveries } from './deliveries/redeliver.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { dayMs } from '../time.ts'
import { isEndpoint } from '../events/delivery.ts'

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
    .where(and(isEndpoint(row), eq(webhookEndpoints.headers, row.headers)))
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
const endpointsInStep = 100

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

/** One step of each background task of webhooks, some 220 queries at most. Each counts what it did. */
export const maintainWebhooks = ({ db, queue, settings }: MaintenanceDeps, nowMs: number) => ({
  expiredEndpoints: removeExpiredEndpoints(db, nowMs, endpointsInStep),
  endedDeliveries: continueEndings(db, nowMs),
  rangeRedeliveries: continueRangeRedeliveries({ db, queue }, nowMs),
  oldKeys: reencryptConfigs(db, encryptionKeysOf(settings), configsInStep),
  formerSecrets: eraseFormerSecrets(db, nowMs, secretsInStep),
  answers: eraseAnswers(db, nowMs),
})

/**
 * Removes at most `limit` ended deliveries that are older than their tenant's retention period, with their attempts.
 * Returns how many.
 */
export async function removeExpiredDeliveries(
  db: Database,
  tenants: readonly ExpiringTenant[],
  limit: number,
): Promise<number> {
  const { removed } = await runBatch(db, { removed: removeExpired(db, tenants, limit) })
  return removed.length
}

const keptMs = 7 * dayMs
const passEveryMs = dayMs

/** The number of the last delivery that the pass has processed. */
const positionName = 'attempts of deliveries'
/** When the last pass ended, in seconds since the epoch. */
const endName = 'attempts of deliveries, end'

interface Erasure {
  readonly erased: number
  /** Whether the pass goes on. */
  readonly hasMore: boolean
}

/**
 * One step of the pass over all deliveries that is made once a day. Of the next `limit`, it erases the answers that are
 * older than 7 days. It also removes ended deliveries of deletions and of the account's events that are older than 7
 * days: no garment's removal takes them with it, and no index finds them among others.
 */
export async function eraseOldAnswers(db: Database, nowMs: number, limit: number): Promise<Erasure> {
  const stored = await db
    .select()
    .from(sweepPositions)
    .where(inArray(sweepPositions.name, [positionName, endName]))
  const find = (name: string) => stored.find((row) => row.name === name)?.position
  if ((find(endName) ?? 0) * 1000 > nowMs - passEveryMs) return { erased: 0, hasMore: false }
  const position = find(positionName) ?? 0
  const rows = await db
    .select({ number: deliveries.number })
    .from(deliveries)
    .where(gt(deliveries.number, position))
    .orderBy(asc(deliveries.number))
    .limit(limit)
  const hasMore = rows.length === limit
  const last = rows.at(-1)?.number ?? position
  const { attempts, removed, emptied, emptiedFirst } = await runBatch(db, {
    ...eraseStatements(db, { after: position, to: last }, nowMs - keptMs),
    position: putPosition(db, positionName, hasMore ? last : 0),
    end: hasMore ? [] : [putPosition(db, endName, Math.floor(nowMs / 1000))],
  })
  const changed = [attempts, removed, emptied, emptiedFirst]
  return { erased: changed.reduce((sum, { meta }) => sum + meta.changes, 0), hasMore }
}

const putPosition = (db: Database, name: string, position: number) =>
  db
    .insert(sweepPositions)
    .values({ name, position })
    .onConflictDoUpdate({ target: sweepPositions.name, set: { position } })

/** Removes a deleted tenant's endpoints and at most `limit` deliveries. Returns how many. */
export async function purgeWebhook(db: Database, tenantId: string, limit: number): Promise<number> {
  const { removed } = await runBatch(db, {
    removed: purgeDeliveries(db, tenantId, limit),
    endpoints: db.delete(webhookEndpoints).where(eq(webhookEndpoints.tenantId, tenantId)),
    redeliveries: db.delete(rangeRedeliveries).where(eq(rangeRedeliveries.tenantId, tenantId)),
  })
  return removed.length
}

/**
 * Deletes at most `limit` expired endpoints, such as those of a command line that was not closed properly. Their
 * pending deliveries are no longer sent; `continueEndings` ends the rows. Returns how many endpoints were deleted.
 */
export async function removeExpiredEndpoints(db: Database, nowMs: number, limit: number): Promise<number> {
  const { tenantId, endpoint, expiresAt } = webhookEndpoints
  const isExpired = and(isNotNull(expiresAt), lte(expiresAt, nowMs))
  const found = await db
    .select({ tenantId, endpoint })
    .from(webhookEndpoints)
    .where(isExpired)
    .orderBy(asc(expiresAt))
    .limit(limit)
  if (found.length === 0) return 0
  const keys = found.map((row) => [row.tenantId, row.endpoint])
  await db
    .update(webhookEndpoints)
    .set({ ...emptyConfig, updatedAt: nowMs, endedUntil: nowMs, endedReason: endpointDeleted })
    // Not if its expiry was postponed meanwhile.
    .where(and(inRows(['tenant_id', 'endpoint'], keys), isExpired))
  return found.length
}
