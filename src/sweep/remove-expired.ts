import { openDatabase } from '../db/client.ts'
import { removeExpiredGarments } from '../garment/maintenance/remove-expired-garments.ts'
import { removeUnusedPictures } from '../garment/unused-pictures.ts'
import { removeExpiredImports } from '../import/maintenance/remove-expired-imports.ts'
import { removeLooseFiles } from '../import/maintenance/remove-loose-files.ts'
import { settingsOf } from '../settings.ts'
import { expiredBefore } from '../tenant/retention.ts'
import { removeExpiredDeliveries } from '../webhook/maintenance/remove-expired-deliveries.ts'

/** Keeps each statement below 50 ms of the database's time. */
const stepSize = 250
const maxSteps = 20

/**
 * Removes pictures that were replaced, files that nothing needs, and imports, results, pictures, deliveries and
 * attempts older than `RETENTION_DAYS` or the tenant's own shorter period. What is left over waits for the next sweep.
 */
export async function removeExpired(env: Env, nowMs: number): Promise<void> {
  const deps = { db: openDatabase(env.DB), pictures: env.PICTURES }
  const before = expiredBefore(settingsOf(env).RETENTION_DAYS, nowMs)
  await removeUnusedPictures(deps, nowMs, stepSize)
  await removeLooseFiles(deps, nowMs)
  await repeat(async () => await removeExpiredImports(deps.db, { before, nowMs }, stepSize))
  await repeat(async () => await removeExpiredGarments(deps, before, stepSize))
  await repeat(async () => await removeExpiredDeliveries(deps.db, before, stepSize))
}

async function repeat(removeStep: () => Promise<number>): Promise<void> {
  for (let step = 0; step < maxSteps; step++) if ((await removeStep()) < stepSize) return
}
