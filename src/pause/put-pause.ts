import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { firstDatabase } from '../db/databases/database-number.ts'
import { accountDatabase, getDatabase, listDatabases } from '../db/databases/find-database.ts'
import { pauses } from '../db/schema.ts'
import { log } from '../log.ts'
import { copyPauses } from './copy-pauses.ts'
import { everyTenant, type Pausable } from './is-paused.ts'

type PauseChange = { readonly [What in Pausable]?: boolean | undefined } & {
  readonly tenant?: string | undefined
}

/**
 * Pauses or resumes the named kinds of work, for one tenant or for all; leaves the others unchanged. Paused work stays
 * due, and the first sweep after it is resumed enqueues it. A database that cannot be reached gets its copy with its
 * next sweep.
 */
export async function putPause(env: Pick<Env, 'DB'>, change: PauseChange, nowMs: number) {
  const accounts = accountDatabase(env)
  const row = await storePause(accounts, change, nowMs)
  const others = listDatabases(env).filter((number) => number !== firstDatabase)
  await Promise.all(
    others.map(async (number) => {
      try {
        await copyPauses(accounts, getDatabase(env, number))
      } catch (error) {
        log('error', 'pause not copied', { database: number, error })
      }
    }),
  )
  return row
}

async function storePause(db: Database, { tenant, tagging, deliveries }: PauseChange, nowMs: number) {
  const set = { tagging: tagging ?? sql`${pauses.tagging}`, deliveries: deliveries ?? sql`${pauses.deliveries}` }
  const isSame = sql`${pauses.tagging} = ${set.tagging} AND ${pauses.deliveries} = ${set.deliveries}`
  const [row] = await db
    .insert(pauses)
    .values({
      tenantId: tenant ?? everyTenant,
      tagging: tagging ?? false,
      deliveries: deliveries ?? false,
      changedAt: nowMs,
    })
    .onConflictDoUpdate({
      target: pauses.tenantId,
      // Waiting times are counted from here, so it changes only together with the pause.
      set: { ...set, changedAt: sql`CASE WHEN ${isSame} THEN ${pauses.changedAt} ELSE ${nowMs} END` },
    })
    .returning()
  if (row === undefined) throw new Error('The pause was not stored')
  return row
}
