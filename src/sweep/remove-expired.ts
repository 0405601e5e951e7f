import { removeExpiredEntries, removeOldEntries } from '../audit/remove-entries.ts'
import type { Database } from '../db/client.ts'
import { forgetOldDeletions } from '../tombstone/deletions.ts'
import { removeExpiredGarments } from '../garment/maintenance/remove-expired-garments.ts'
import { removeUnusedPictures } from '../garment/unused-pictures.ts'
import { removeExpiredImports } from '../import/maintenance/remove-expired-imports.ts'
import { removeUnreferencedFiles } from '../import/maintenance/remove-loose-files.ts'
import { findExpiringTenants, putOffExpiry } from '../tenant/expiring-tenants.ts'
import { retentionOf } from '../tenant/retention.ts'
import { dayMs } from '../time.ts'
import { removeExpiredDeliveries } from '../webhook/maintenance/remove-expired-deliveries.ts'

/** Keep each statement below 50 ms of the database's time. */
const stepSize = 500
const tenantsInSweep = 500

/** Of all of them together, in one sweep: 12,000 rows and some 160 queries. */
const maxSteps = 24

/** Of unused pictures, before the others: 5,000 pictures. A step takes 2 queries, fewer than any other. */
const maxPictureSteps = 10

/** At the beginning of each hour, in which entries of all logs are looked for instead of files: a few sweeps. */
const entryMinutes = 5

/**
 * Removes pictures that were replaced, files that nothing needs, and imports, results, pictures, deliveries, attempts
 * and entries of the audit log older than `retentionDays` or the tenant's own shorter period, and
 * old names of what was deleted. Each tenant is checked
 * once a day, and again until everything expired is removed. The rest waits for the next sweep.
 */
export async function removeExpired(
  deps: { readonly db: Database; readonly pictures: R2Bucket },
  retentionDays: number,
  nowMs: number,
): Promise<void> {
  const tenants = await findExpiringTenants(deps.db, retentionDays, { nowMs, limit: tenantsInSweep })
  let steps = 0
  while (steps < maxPictureSteps && (await removeUnusedPictures(deps, nowMs, stepSize)) >= stepSize) steps++
  const beforeMs = nowMs - retentionOf(null, retentionDays) * dayMs
  const removals = [async () => await removeExpiredImports(deps.db, { tenants, nowMs }, stepSize)]
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
      async () => await removeExpiredDeliveries(deps.db, tenants, stepSize),
    )
  // In turns, so that much of one kind does not keep the others.
  for (; steps < maxSteps && removals.length > 0; steps++) {
    const removeStep = removals.shift()
    if (removeStep !== undefined && (await removeStep()) >= stepSize) removals.push(removeStep)
  }
  if (removals.length === 0 && tenants.length > 0) await putOffExpiry(deps.db, tenants, nowMs)
}
