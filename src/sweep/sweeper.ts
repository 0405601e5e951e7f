import { DurableObject } from 'cloudflare:workers'
import { listDatabases } from '../db/databases/find-database.ts'
import { log } from '../log.ts'
import { locationOf } from '../settings.ts'
import { minuteMs } from '../time.ts'
import { sweepDatabase } from './sweep-database.ts'

/**
 * Sweeps one database every minute, in invocations of its own, so that each has a budget of its own, and one that is
 * slow or down delays no other. An alarm never runs twice at a time, so no sweep overtakes the one before.
 */
export class Sweeper extends DurableObject<Env> {
  /** Begins the sweeps if none is scheduled. From then on each schedules the next. */
  async wake(database: number): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return
    // The name of an object is not known to its alarm.
    this.ctx.storage.kv.put('database', database)
    await this.ctx.storage.setAlarm(Date.now())
  }

  override async alarm(): Promise<void> {
    const database = this.ctx.storage.kv.get<number>('database')
    if (database === undefined) return
    // First, so that a sweep that is cut off has a successor.
    await this.ctx.storage.setAlarm(Date.now() + minuteMs)
    try {
      await sweepDatabase(this.env, database, Date.now())
    } catch (error) {
      // The platform would repeat it; the next minute does.
      log('error', 'sweep broke off', { database, error })
    }
  }
}

/** Makes sure that every database is swept: after a deployment, and should an alarm be lost. */
export async function wakeSweepers(env: Env): Promise<void> {
  const results = await Promise.allSettled(
    listDatabases(env).map(async (number) => {
      await env.SWEEPER.getByName(String(number), locationOf(env)).wake(number)
    }),
  )
  for (const result of results)
    if (result.status === 'rejected') log('error', 'sweep not begun', { error: result.reason })
}
