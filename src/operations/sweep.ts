import { sql } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import {
  accountDatabase,
  firstDatabase,
  alarmShare,
  getDatabase,
  maxDatabaseBytes,
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
import { dayMs } from '../time.ts'
import { eraseOldAnswers, maintainWebhooks, removeExpiredDeliveries } from '../webhooks/maintain-webhooks.ts'
import { databases } from '../platform/db/schema.ts'
import { sweepImports } from '../imports/wake-importer.ts'
import { writeMetric } from '../metrics.ts'
import { copyPauses } from './pauses.ts'
import { continueReviewed } from '../garments/review/review.ts'
import { settingsOf } from '../settings.ts'
import { continueRetags } from './retag.ts'
import { sweepGarments } from '../tagging/sweep-garments.ts'
import { removeUnconfirmed } from '../accounts/merchant.ts'
import { deliverWaitingEvents, reportQuotas } from '../webhooks/report-account-events.ts'
import { sweepDeliveries } from '../webhooks/sweep-deliveries.ts'
import { purgeTenants } from './purge-tenants.ts'

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

/** Keep each statement below 50 ms of the database's time. */
const stepSize = 500
const tenantsInSweep = 500

/** All of them together, in one sweep: 12,000 rows and some 160 queries. */
const maxSteps = 24

/** Unused pictures, before the others: 5,000 pictures. A step takes 2 queries, fewer than any other. */
const maxPictureSteps = 10

/** At the beginning of each hour, in which entries of all logs are looked for instead of files: a few sweeps. */
const entryMinutes = 5

/**
 * Removes pictures that were replaced, files that nothing needs, what the bins have kept long enough, old names of what
 * was deleted, and imports, results, pictures, deliveries, attempts and entries of the audit log older than
 * `retentionDays` or the tenant's own shorter period. Each tenant is checked once a day, and again until everything
 * expired is removed. The rest waits for the next sweep.
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
  // Both may wait for an hour, and each look costs a statement.
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
  // In turns, so that much of one kind does not keep the others.
  for (; steps < maxSteps && removals.length > 0; steps++) {
    const removeStep = removals.shift()
    if (removeStep !== undefined && (await removeStep()) >= stepSize) removals.push(removeStep)
  }
  if (removals.length === 0 && tenants.length > 0) await putOffExpiry(deps.db, tenants, nowMs)
}

/**
 * Repairs whatever was lost between a database and the queues, and removes from it what is no longer needed. A part
 * that fails does not keep the others from running. Each part limits its own queries, since the platform allows 1,000
 * in all: garments 90, imports 1, retags 21, deliveries 41, webhooks 220, states 5, events of keys 201, reviewed 81,
 * pauses 2, tenants 4, unconfirmed 11, purge 200, removal 160. With nothing due it makes some 20. The last statement
 * records that the sweep has run, for monitors; not of a database that does not respond.
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
    purge: purgeTenants({ accounts, number, db, pictures }, nowMs),
    removal: removeExpired({ db, pictures }, settings.RETENTION_DAYS, nowMs),
  }
  const results = await Promise.allSettled(Object.values(parts))
  const failed: string[] = []
  Object.keys(parts).forEach((part, i) => {
    const result = results[i]
    if (result?.status === 'rejected') {
      failed.push(part)
      log('error', 'sweep failed', { database: number, part, error: result.reason })
    } else if (typeof result?.value === 'number' && result.value > 0)
      log('info', 'swept', { database: number, part, count: result.value })
  })
  const failedParts = failed.join(', ')
  writeMetric(env, { event: 'sweep', outcome: failedParts || 'ok', durationMs: Date.now() - nowMs })
  const row = { number, bytes: await measureDatabase(db, number), sweptAt: nowMs, failedParts }
  // In the database too, which shows by it when it was restored.
  for (const each of number === firstDatabase ? [accounts] : [db, accounts])
    await each.insert(databases).values(row).onConflictDoUpdate({ target: databases.number, set: row })
}
