import { databaseNumberOf } from '../db/databases/database-number.ts'
import { findDatabase, listDatabases } from '../db/databases/find-database.ts'
import { retags } from '../db/schema.ts'
import { everyTenant } from '../pause/is-paused.ts'

export interface RetagRange {
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly tenant?: string | undefined
}

/**
 * Tags the complete garments of the range again, in the background. Replaces a range that is still under way. Throws if
 * a database cannot be reached; it has begun in the others then, and may be repeated.
 */
export async function startRetag(env: Pick<Env, 'DB'>, { fromMs, toMs, tenant }: RetagRange): Promise<void> {
  const row = {
    tenantId: tenant ?? everyTenant,
    fromAt: fromMs,
    untilAt: toMs,
    positionTenantId: '',
    positionAt: fromMs,
    positionUuid: '',
    stepSize: 100,
  }
  const numbers = tenant === undefined ? listDatabases(env) : [databaseNumberOf(tenant)]
  const results = await Promise.allSettled(
    numbers.map(async (number) => {
      await findDatabase(env, number)
        ?.insert(retags)
        .values(row)
        .onConflictDoUpdate({ target: retags.tenantId, set: row })
    }),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
