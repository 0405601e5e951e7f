import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { heartbeats } from '../db/schema.ts'
import { notHealthy } from './errors.ts'
import { log } from '../log.ts'

/** The sweep runs each minute. */
const maxSweepAgeMs = 3 * 60_000

/** Anyone may ask, so that the database answers once in this time for each isolate. */
const rememberedMs = 10_000

let remembered: { readonly askedAt: number; readonly sweptAt: number } | undefined

/** Throws 503 if the database cannot be read or the last sweep is older than three minutes. For monitors. */
export async function checkHealth(db: Database, nowMs: number): Promise<void> {
  const isFresh = remembered !== undefined && Math.abs(nowMs - remembered.askedAt) < rememberedMs
  const { sweptAt } = isFresh && remembered !== undefined ? remembered : await readSweep(db, nowMs)
  if (nowMs - sweptAt > maxSweepAgeMs)
    throw notHealthy('The background work of the service has not run for three minutes.')
}

async function readSweep(db: Database, askedAt: number) {
  try {
    const [row] = await db.select().from(heartbeats).where(eq(heartbeats.name, 'sweep'))
    return (remembered = { askedAt, sweptAt: row?.at ?? 0 })
  } catch (error) {
    log('error', 'health check failed', { error })
    throw notHealthy('The database does not respond.')
  }
}
