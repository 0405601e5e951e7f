import { openDatabase } from '../db/client.ts'
import { removeExpiredGarments } from '../garment/remove-expired-garments.ts'
import { settingsOf } from '../settings.ts'
import { removeExpiredDeliveries } from '../webhook/maintenance/remove-expired-deliveries.ts'

const dayMs = 24 * 3600_000

/** Keeps each statement below 50 ms of the database's time. */
const stepSize = 250
const maxSteps = 20

/** Removes results, pictures, deliveries and attempts older than `RETENTION_DAYS`; what is left over waits for the next sweep. */
export async function removeExpired(env: Env, nowMs: number): Promise<void> {
  const { RETENTION_DAYS } = settingsOf(env)
  if (RETENTION_DAYS === 0) return
  const deps = { db: openDatabase(env.DB), pictures: env.PICTURES }
  const beforeMs = nowMs - RETENTION_DAYS * dayMs
  await repeat(async () => await removeExpiredGarments(deps, beforeMs, stepSize))
  await repeat(async () => await removeExpiredDeliveries(deps.db, beforeMs, stepSize))
}

async function repeat(removeStep: () => Promise<number>): Promise<void> {
  for (let step = 0; step < maxSteps; step++) if ((await removeStep()) < stepSize) return
}
