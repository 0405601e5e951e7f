import { and, eq, gte, sql, type SQL } from 'drizzle-orm'
import { dayMs, dayOf } from '../../time.ts'
import type { Database } from './database.ts'
import { dailyCounts } from './schema.ts'

type Kind = typeof dailyCounts.$inferSelect.kind

/** Adds the number that `howMany` selects to the count of the day (UTC). */
export const addToDailyCount = (db: Database, tenantId: string, kind: Kind, howMany: SQL, nowMs: number) =>
  db
    .insert(dailyCounts)
    .select(
      sql`SELECT ${tenantId}, ${dayOf(nowMs)}, ${kind}, number FROM (SELECT (${howMany}) AS number) WHERE number > 0`,
    )
    .onConflictDoUpdate({
      target: [dailyCounts.tenantId, dailyCounts.day, dailyCounts.kind],
      set: { count: sql`${dailyCounts.count} + excluded.count` },
    })

/** Selects the count of the day (UTC), 0 if nothing was counted. */
export const dailyCount = (tenantId: string, kind: Kind, nowMs: number): SQL<number> => sql`coalesce(
  (SELECT count FROM ${dailyCounts} WHERE tenant_id = ${tenantId} AND day = ${dayOf(nowMs)} AND kind = ${kind}), 0)`

export type DayCounts = { readonly day: string } & Readonly<Record<Exclude<Kind, 'deletion' | 'import_line'>, number>>

/** Counts garments and deliveries that ended on each of the last `days` days (UTC). `fillDays` adds empty days. */
export function dailyCountsQuery(db: Database, tenantId: string, days: number, now: number) {
  const from = dayOf(now - (days - 1) * dayMs)
  return db
    .select({ day: dailyCounts.day, kind: dailyCounts.kind, count: dailyCounts.count })
    .from(dailyCounts)
    .where(and(eq(dailyCounts.tenantId, tenantId), gte(dailyCounts.day, from)))
}

type Counted = Awaited<ReturnType<typeof dailyCountsQuery>>[number]

export function fillDays(rows: readonly Counted[], days: number, now: number): DayCounts[] {
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(now - (days - 1 - i) * dayMs)
    const countOf = (kind: Kind) =>
      rows.filter((row) => row.day === day && row.kind === kind).reduce((sum, { count }) => sum + count, 0)
    return {
      day,
      complete: countOf('complete'),
      failed: countOf('failed'),
      delivered: countOf('delivered'),
      permanently_failed: countOf('permanently_failed'),
    }
  })
}
