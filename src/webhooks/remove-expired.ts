import { and, asc, eq, gt, inArray, isNotNull, lte } from 'drizzle-orm'
import { type Database, runBatch } from '../platform/db/database.ts'
import type { ExpiringTenant } from '../accounts/retention.ts'
import { deliveries, rangeRedeliveries, sweepPositions, webhookEndpoints } from '../platform/db/schema.ts'
import { dayMs } from '../time.ts'
import { isEndpoint } from '../events/delivery.ts'
import { emptyConfig } from './endpoints/endpoint.ts'
import type { EncryptionKeys } from './endpoints/encrypt.ts'
import { endpointDeleted, eraseStatements, purgeDeliveries, removeExpired } from '../events/transitions.ts'

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

/** Tenants in one sweep, with a query each; those that expired first. */
const maxRemoved = 8

/**
 * Deletes expired endpoints, such as those of a command line that was not closed properly. Their pending deliveries are
 * no longer sent; `continueEndings` ends the rows. Returns how many endpoints were deleted.
 */
export async function removeExpiredEndpoints(db: Database, keys: EncryptionKeys, nowMs: number): Promise<number> {
  const isExpired = and(isNotNull(webhookEndpoints.expiresAt), lte(webhookEndpoints.expiresAt, nowMs))
  const found = await db
    .select({ tenantId: webhookEndpoints.tenantId, endpoint: webhookEndpoints.endpoint })
    .from(webhookEndpoints)
    .where(isExpired)
    .orderBy(asc(webhookEndpoints.expiresAt))
    .limit(maxRemoved)
  for (const { tenantId, endpoint } of found) {
    const emptied = { ...(await emptyConfig(keys, tenantId)), updatedAt: nowMs }
    await db
      .update(webhookEndpoints)
      .set({ ...emptied, endedUntil: nowMs, endedReason: endpointDeleted })
      // Not if its expiry was postponed meanwhile.
      .where(and(isEndpoint({ tenantId, endpoint }), isExpired))
  }
  return found.length
}
