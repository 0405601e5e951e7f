import { lt, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { auditEntries } from '../db/schema.ts'

async function removeSelected(db: Database, selected: SQL): Promise<number> {
  const removed = await db
    .delete(auditEntries)
    .where(sql`(holder_id, at, id) IN (${selected})`)
    .returning({ id: auditEntries.id })
  return removed.length
}

/** Removes at most `limit` entries of all logs that are older than this. Returns how many. */
export const removeOldEntries = async (db: Database, beforeMs: number, limit: number) =>
  await removeSelected(
    db,
    sql`SELECT holder_id, at, id FROM ${auditEntries} WHERE ${lt(auditEntries.at, beforeMs)} LIMIT ${limit}`,
  )

/** Removes at most `limit` entries of tenants that are older than their own time. Returns how many. */
export const removeExpiredEntries = async (
  db: Database,
  tenants: readonly { readonly id: string; readonly beforeMs: number }[],
  limit: number,
) =>
  await removeSelected(
    db,
    sql`
      SELECT entry.holder_id, entry.at, entry.id
      FROM json_each(${JSON.stringify(tenants)}) AS tenant CROSS JOIN ${auditEntries} AS entry
      WHERE entry.holder_id = tenant.value ->> 'id' AND entry.at < tenant.value ->> 'beforeMs'
      LIMIT ${limit}`,
  )
