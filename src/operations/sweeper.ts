import { DurableObject } from 'cloudflare:workers'
import { listDatabases } from '../platform/db/databases.ts'
import { log } from '../log.ts'
import { locationOf } from '../settings.ts'
import { minuteMs } from '../time.ts'
import { sweepDatabase } from './sweep.ts'

/**
 * Sweeps one database every minute, in its own invocations, so that each database has its own limit on queries and a
 * slow one delays no other. An alarm never runs twice at a time, so sweeps of one database never overlap.
 */
export class Sweeper extends DurableObject<Env> {
  /** Schedules the first sweep unless one is scheduled. From then on each sweep schedules the next. */
  async wake(database: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return
    // Stored, because an alarm does not know the name of its object.
    this.ctx.storage.kv.put('database', database)
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    const database = this.ctx.storage.kv.get<number>('database')
    if (database === undefined) return
    // First, so that the next sweep runs even if this one is cut off.
    await this.ctx.storage.setAlarm(Date.now() + minuteMs)
    try {
      await sweepDatabase(this.env, database, Date.now())
    } catch (error) {
      // Not rethrown, because the platform would repeat the alarm. The next sweep does the rest.
      log('error', 'sweep broke off', { database, error })
    }
  }
}

/** Ensures that every database is swept after a deployment and after a lost alarm. */
export async function wakeSweepers(env: Env): Promise<void> {
  const results = await Promise.allSettled(
    listDatabases(env).map(async (number) => {
      await env.SWEEPER.getByName(String(number), locationOf(env)).wake(number)
    }),
  )
  for (const result of results)
    if (result.status === 'rejected') log('error', 'sweep not begun', { error: result.reason })
}
