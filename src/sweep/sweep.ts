import { openDatabase } from '../db/client.ts'
import { heartbeats } from '../db/schema.ts'
import { log } from '../log.ts'
import { writeMetric } from '../metrics.ts'
import { sweepImports } from '../import/maintenance/sweep-imports.ts'
import { continueRetags } from '../tagging/continue-retags.ts'
import { sweepGarments } from '../tagging/sweep-garments.ts'
import { maintainWebhooks } from '../webhook/maintenance/maintain-webhooks.ts'
import { sweepDeliveries } from '../webhook/maintenance/sweep-deliveries.ts'
import { purgeTenants } from './purge-tenants.ts'
import { removeExpired } from './remove-expired.ts'
import { watchSize } from './watch-size.ts'

/**
 * Repairs whatever was lost between the database and the queues, and removes what is no longer needed. A part that
 * fails does not keep the others from running. Each part limits its own queries, since the platform allows 1,000 in
 * all. The last statement notes that the sweep has run, for monitors.
 */
export async function sweep(env: Env, nowMs: number): Promise<void> {
  const parts = {
    garments: sweepGarments(env, nowMs),
    imports: sweepImports(env),
    retags: continueRetags(env, nowMs),
    deliveries: sweepDeliveries(env, nowMs),
    webhooks: maintainWebhooks(env, nowMs),
    purge: purgeTenants(env, nowMs),
    removal: removeExpired(env, nowMs),
    size: watchSize(env),
  }
  const results = await Promise.allSettled(Object.values(parts))
  const failedParts: string[] = []
  Object.keys(parts).forEach((part, i) => {
    const result = results[i]
    if (result?.status === 'rejected') {
      failedParts.push(part)
      log('error', 'sweep failed', { part, error: result.reason })
    } else if (typeof result?.value === 'number' && result.value > 0)
      log('warn', 'sweep enqueued', { part, count: result.value })
  })
  const row = { name: 'sweep' as const, at: nowMs, failedParts: failedParts.join(', ') }
  writeMetric(env.METRICS, { event: 'sweep', outcome: row.failedParts || 'ok', durationMs: Date.now() - nowMs })
  await openDatabase(env.DB).insert(heartbeats).values(row).onConflictDoUpdate({ target: heartbeats.name, set: row })
}
