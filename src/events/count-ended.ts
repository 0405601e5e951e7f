import { sql, type SQL } from 'drizzle-orm'
import { type Database, selectValues } from '../platform/db/database.ts'
import { dailyCounts } from '../platform/db/schema.ts'
import { dayOf } from '../time.ts'

type Kind = typeof dailyCounts.$inferSelect.kind

/**
 * The statement that adds `howMany`, a scalar query, to the count of the day; nothing where it is 0. It stands in the
 * batch that ends the rows, before the statement that changes their state.
 */
export function countEnded(db: Database, tenantId: string, kind: Kind, howMany: SQL, nowMs: number) {
  const row = { tenantId, day: dayOf(nowMs), kind, count: sql`ended.number` }
  return db
    .insert(dailyCounts)
    .select(
      db
        .select(selectValues(dailyCounts, row))
        .from(sql`(SELECT (${howMany}) AS number) AS ended`)
        .where(sql`ended.number > 0`),
    )
    .onConflictDoUpdate({
      target: [dailyCounts.tenantId, dailyCounts.day, dailyCounts.kind],
      set: { count: sql`${dailyCounts.count} + excluded.count` },
    })
}
