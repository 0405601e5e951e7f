import { DurableObject } from 'cloudflare:workers'
import { getDatabase, listDatabases } from '../platform/db/databases.ts'
import { log } from '../log.ts'
import { locationOf } from '../settings.ts'
import { minuteMs } from '../time.ts'
import { findRestore, readSweptAt, repeatDeletions, type Restore } from './repeat-deletions.ts'
import { sweepDatabase } from './sweep.ts'

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
      await this.#sweep(database, Date.now())
    } catch (error) {
      // The platform would repeat it; the next minute does.
      log('error', 'sweep broke off', { database, error })
    }
  }

  /** After a restore nothing is swept, and so nothing revived is sent or tagged, until the deletions are repeated. */
  async #sweep(database: number, nowMs: number): Promise<void> {
    const { kv } = this.ctx.storage
    const found = findRestore(await readSweptAt(getDatabase(this.env, database), database), kv.get('sweptAt'))
    const begun = kv.get<Restore>('restore')
    const restore = begun !== undefined && begun.toMs === found?.toMs ? begun : found
    if (restore !== null) {
      if (restore.last === null) log('warn', 'restored database found', { database, to: new Date(restore.toMs) })
      const next = await repeatDeletions(this.env, database, restore, nowMs)
      if (next !== null) {
        kv.put('restore', next)
        await this.ctx.storage.setAlarm(nowMs)
        return
      }
    }
    await sweepDatabase(this.env, database, nowMs)
    kv.delete('restore')
    kv.put('sweptAt', nowMs)
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
