import { ne, or, sql } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { pauses } from '../platform/db/schema.ts'
import { accountDatabase, firstDatabase, getDatabase, listDatabases } from '../platform/db/databases.ts'
import { log } from '../log.ts'
import { everyTenant, type Pausable } from '../platform/queue/is-paused.ts'

const maxPauses = 5000

/** Copies the pauses from the accounts database to another database, whose work reads its own copy. Safe to repeat. */
export async function copyPauses(accounts: Database, db: Database): Promise<void> {
  if (accounts === db) return
  const rows = await accounts.select().from(pauses).limit(maxPauses)
  if (rows.length === 0) return
  const values = JSON.stringify(rows.map((row) => [row.tenantId, row.tagging, row.deliveries, row.changedAt]))
  await db.run(sql`
    INSERT INTO ${pauses} (tenant_id, tagging, deliveries, changed_at)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(${values}) WHERE true
    ON CONFLICT (tenant_id) DO UPDATE
    SET tagging = excluded.tagging, deliveries = excluded.deliveries, changed_at = excluded.changed_at
    WHERE (excluded.tagging, excluded.deliveries, excluded.changed_at) <> (tagging, deliveries, changed_at)`)
}

type PauseChange = { readonly [What in Pausable]?: boolean | undefined } & {
  readonly tenant?: string | undefined
}

/**
 * Pauses or resumes the named kinds of work, for one tenant or for all. Paused work stays due, and the first sweep
 * after it is resumed enqueues it. An unreachable database gets its copy with its next sweep.
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
  const isChanged = or(
    tagging === undefined ? undefined : ne(pauses.tagging, tagging),
    deliveries === undefined ? undefined : ne(pauses.deliveries, deliveries),
  )
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
      // Waiting times count from this time, so it changes only together with the pause.
      set: { tagging, deliveries, changedAt: sql`iif(${isChanged ?? 0}, ${nowMs}, ${pauses.changedAt})` },
    })
    .returning()
  if (row === undefined) throw new Error('The pause was not stored')
  return row
}
