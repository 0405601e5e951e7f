import { eq, sql } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import {
  accountDatabase,
  firstDatabase,
  alarmShare,
  getDatabase,
  maxDatabaseBytes,
  openShare,
  tenantDatabase,
} from '../platform/db/databases.ts'
import { log } from '../log.ts'
import { removeExpiredEntries, removeOldEntries } from '../accounts/audit.ts'
import { forgetOldDeletions } from '../platform/deletions.ts'
import { emptyBin } from '../garments/bin.ts'
import { removeExpiredGarments } from '../garments/remove-expired-garments.ts'
import { removeUnusedCopies } from '../garments/pictures/unused-copies.ts'
import { removeExpiredImports } from '../imports/delete-import.ts'
import { removeUnreferencedFiles } from '../garments/pictures/uploaded-file.ts'
import { findExpiringTenants, putOffExpiry, retentionOf } from '../accounts/retention.ts'
import { dayMs, dayOf } from '../time.ts'
import { eraseOldAnswers, maintainWebhooks, removeExpiredDeliveries } from '../webhooks/maintain-webhooks.ts'
import { databases, tenantCounters } from '../platform/db/schema.ts'
import { sweepImports } from '../imports/wake-importer.ts'
import { writeMetric } from '../metrics.ts'
import { copyPauses } from './pauses.ts'
import { continueReviewed } from '../garments/review/review.ts'
import { settingsOf } from '../settings.ts'
import { continueRetags } from './retag.ts'
import { sweepGarments } from '../tagging/sweep-garments.ts'
import { trimRecords } from './trim-records.ts'
import { removeUnconfirmed } from '../accounts/merchant.ts'
import { deliverWaitingEvents, reportQuotas } from '../webhooks/report-account-events.ts'
import { sweepDeliveries } from '../webhooks/sweep-deliveries.ts'
import { purgeTenants } from './purge-tenants.ts'

/** Bytes that every tenant may add in a day while the database is nearly full. Most shops never add more. */
const minTenantShare = 20_000_000

/** Returns what a tenant may add today while the database is nearly full: the mean of all tenants that added rows. */
async function shareOfTenants(db: Database, nowMs: number): Promise<number> {
  const [row] = await db
    .select({ mean: sql<number | null>`avg(${tenantCounters.grownBytes})` })
    .from(tenantCounters)
    .where(eq(tenantCounters.grownDay, dayOf(nowMs)))
  return Math.max(minTenantShare, Math.ceil(row?.mean ?? 0))
}

/** Measures the size of a database. Logs an error while it is above `alarmShare` of its capacity. */
export async function measureDatabase(db: Database, number: number, alarmBytes = maxDatabaseBytes * alarmShare) {
  const { meta } = await db.run(sql`SELECT 1`)
  const bytes = meta.size_after
  if (bytes > alarmBytes)
    log('error', 'database nearly full', {
      database: number,
      bytes,
      max_bytes: maxDatabaseBytes,
      remedy: 'lower RETENTION_DAYS, or add databases for new tenants',
    })
  return bytes
}

/** Rows that one step removes, so that no statement blocks the database for long. */
const stepSize = 500
const tenantsInSweep = 500

const maxSteps = 24

const maxPictureSteps = 10

/** In the first minutes of each hour, sweeps remove old audit entries and records of deletions instead of files. */
const entryMinutes = 5

/**
 * Removes what has expired: unused pictures and files, the bin, and rows older than `retentionDays` or the tenant's own
 * period. Each tenant is due once a day, and again until all its expired rows are removed.
 */
export async function removeExpired(
  deps: { readonly db: Database; readonly pictures: R2Bucket },
  retentionDays: number,
  nowMs: number,
): Promise<void> {
  const tenants = await findExpiringTenants(deps.db, retentionDays, { nowMs, limit: tenantsInSweep })
  let steps = 0
  while (steps < maxPictureSteps && (await removeUnusedCopies(deps, nowMs, stepSize)) >= stepSize) steps++
  const beforeMs = nowMs - retentionOf(null, retentionDays) * dayMs
  const removals = [
    async () => await removeExpiredImports(deps.db, { tenants, nowMs }, stepSize),
    async () => await emptyBin(deps, { tenants, nowMs }, stepSize),
  ]
  // Neither removal is urgent, and each costs a statement, so they take turns.
  if (new Date(nowMs).getUTCMinutes() >= entryMinutes) await removeUnreferencedFiles(deps, nowMs)
  else {
    await forgetOldDeletions(deps.pictures, nowMs)
    removals.push(async () => await removeOldEntries(deps.db, beforeMs, stepSize))
  }
  if (tenants.length > 0)
    removals.push(
      async () => await removeExpiredEntries(deps.db, tenants, stepSize),
      async () => await removeExpiredGarments(deps, tenants, stepSize),
      async () => await removeExpiredDeliveries(deps.db, tenants, nowMs, stepSize),
      async () => await eraseOldAnswers(deps.db, tenants, nowMs, stepSize),
    )
  // The kinds take turns, so that a backlog of one does not delay the others.
  for (; steps < maxSteps && removals.length > 0; steps++) {
    const removeStep = removals.shift()
    if (removeStep !== undefined && (await removeStep()) >= stepSize) removals.push(removeStep)
  }
  if (removals.length === 0 && tenants.length > 0) await putOffExpiry(deps.db, tenants, nowMs)
}

/**
 * Enqueues work whose messages were lost, and removes expired rows. A part that fails does not stop the others. Each
 * part limits its queries, because an invocation may make 1,000. Monitors read the last statement's row.
 */
export async function sweepDatabase(env: Env, number: number, nowMs: number): Promise<void> {
  const db = getDatabase(env, number)
  const accounts = accountDatabase(env)
  const settings = settingsOf(env)
  const { PICTURES: pictures, TAGGING_QUEUE: taggingQueue, WEBHOOK_QUEUE: webhookQueue } = env
  const parts = {
    garments: sweepGarments({ db, queue: taggingQueue }, nowMs),
    imports: sweepImports(db, env),
    retags: continueRetags({ db, queue: taggingQueue }, nowMs),
    deliveries: sweepDeliveries({ db, queue: webhookQueue }, nowMs),
    ...maintainWebhooks({ db, queue: webhookQueue, settings }, nowMs),
    quotas: reportQuotas(db, nowMs),
    ...(number === firstDatabase && {
      accountEvents: deliverWaitingEvents(accounts, (tenantId) => tenantDatabase(env, tenantId), nowMs),
    }),
    reviewed: continueReviewed(db),
    pauses: copyPauses(accounts, db),
    ...(number === firstDatabase && { unconfirmed: removeUnconfirmed(accounts, nowMs) }),
    records: trimRecords(db, settings, nowMs),
    purge: purgeTenants({ accounts, number, db, pictures }, nowMs),
    removal: removeExpired({ db, pictures }, settings.RETENTION_DAYS, nowMs),
  }
  const results = await Promise.allSettled(Object.values(parts))
  const failedParts: string[] = []
  Object.keys(parts).forEach((part, i) => {
    const result = results[i]
    if (result?.status === 'rejected') {
      failedParts.push(part)
      log('error', 'sweep failed', { database: number, part, error: result.reason })
    } else if (typeof result?.value === 'number' && result.value > 0)
      log('info', 'swept', { database: number, part, count: result.value })
  })
  writeMetric(env, { event: 'sweep', outcome: failedParts.join(', ') || 'ok', durationMs: Date.now() - nowMs })
  const bytes = await measureDatabase(db, number)
  const tenantShare = bytes > maxDatabaseBytes * openShare ? await shareOfTenants(db, nowMs) : null
  const row = { number, bytes, tenantShare, sweptAt: nowMs, failedParts }
  // Stored in the database itself too, so that its age is known after a restore.
  for (const each of number === firstDatabase ? [accounts] : [db, accounts])
    await each.insert(databases).values(row).onConflictDoUpdate({ target: databases.number, set: row })
}
