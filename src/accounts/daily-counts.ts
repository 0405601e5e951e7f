import { and, eq, gte } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { dailyCounts } from '../platform/db/schema.ts'
import { dayMs, dayOf } from '../time.ts'

type Kind = typeof dailyCounts.$inferSelect.kind

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
