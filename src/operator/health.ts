import { accountDatabase, listDatabases } from '../db/databases/find-database.ts'
import { maxSweepAgeMs } from '../db/databases/database-state.ts'
import { databases } from '../db/schema.ts'
import { notHealthy } from './errors.ts'
import { log } from '../log.ts'

/** Anyone may ask, so that the database answers once in this time for each isolate. */
const rememberedMs = 10_000

let remembered: { readonly askedAt: number; readonly sweptAt: number } | undefined

/**
 * Throws 503 if the accounts cannot be read or the last sweep of any database is older than three minutes, which also
 * means that it does not respond. For monitors.
 */
export async function checkHealth(env: Pick<Env, 'DB'>, nowMs: number): Promise<void> {
  const isFresh = remembered !== undefined && Math.abs(nowMs - remembered.askedAt) < rememberedMs
  const { sweptAt } = isFresh && remembered !== undefined ? remembered : await readSweeps(env, nowMs)
  if (nowMs - sweptAt > maxSweepAgeMs)
    throw notHealthy('The background work of the service has not run for three minutes.')
}

async function readSweeps(env: Pick<Env, 'DB'>, askedAt: number) {
  try {
    const states = await accountDatabase(env).select().from(databases)
    const times = new Map(states.map((state) => [state.number, state.sweptAt]))
    const sweptAt = Math.min(...listDatabases(env).map((number) => times.get(number) ?? 0))
    return (remembered = { askedAt, sweptAt })
  } catch (error) {
    log('error', 'health check failed', { error })
    throw notHealthy('The database does not respond.')
  }
}
