import { firstDatabase } from '../db/databases/database-number.ts'
import { accountDatabase, getDatabase } from '../db/databases/find-database.ts'
import { databases } from '../db/schema.ts'
import { sweepImports } from '../import/maintenance/sweep-imports.ts'
import { log } from '../log.ts'
import { writeMetric } from '../metrics.ts'
import { copyPauses } from '../pause/copy-pauses.ts'
import { continueReviewed } from '../review/put-reviewed.ts'
import { continueCatchingUp } from '../search/catch-up.ts'
import { settingsOf } from '../settings.ts'
import { continueRetags } from '../tagging/continue-retags.ts'
import { sweepGarments } from '../tagging/sweep-garments.ts'
import { confirmTenants } from '../tenant/confirm-tenants.ts'
import { retentionOf } from '../tenant/retention.ts'
import { dayMs } from '../time.ts'
import { sweepAccountWebhooks } from '../webhook/account/sweep-account-webhooks.ts'
import { maintainWebhooks } from '../webhook/maintenance/maintain-webhooks.ts'
import { sweepDeliveries } from '../webhook/maintenance/sweep-deliveries.ts'
import { measureDatabase } from './measure-database.ts'
import { purgeTenants } from './purge-tenants.ts'
import { removeExpired } from './remove-expired.ts'

/**
 * Repairs whatever was lost between a database and the queues, and removes from it what is no longer needed. A part
 * that fails does not keep the others from running. Each part limits its own queries, since the platform allows 1,000
 * in all: garments 90, imports 1, retags 21, deliveries 41, webhooks 220, those of accounts 9, reviewed 81, search 151,
 * pauses 2, tenants 4, purge 200, removal 160. With nothing due it makes some 20. The last statement records that the
 * sweep has run, for monitors; not of a database that does not respond.
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
    webhooks: maintainWebhooks({ db, queue: webhookQueue, settings }, nowMs),
    accountWebhooks: sweepAccountWebhooks(
      { accounts, db },
      nowMs - retentionOf(null, settings.RETENTION_DAYS) * dayMs,
      nowMs,
    ),
    reviewed: continueReviewed(db),
    search: continueCatchingUp(db, nowMs),
    pauses: copyPauses(accounts, db),
    tenants: confirmTenants({ accounts, db }, nowMs),
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
      log('warn', 'sweep enqueued', { database: number, part, count: result.value })
  })
  const failedParts = failed.join(', ')
  writeMetric(env.METRICS, { event: 'sweep', outcome: failedParts || 'ok', durationMs: Date.now() - nowMs })
  const row = { number, bytes: await measureDatabase(db, number), sweptAt: nowMs, failedParts }
  // In the database too, which shows by it when it was restored.
  for (const each of number === firstDatabase ? [accounts] : [db, accounts])
    await each.insert(databases).values(row).onConflictDoUpdate({ target: databases.number, set: row })
}
