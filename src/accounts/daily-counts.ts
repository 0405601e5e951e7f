import { and, eq, gte, sql } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { dailyCounts, tenantCounters } from '../platform/db/schema.ts'
import { dayMs, dayOf } from '../time.ts'

type Kind = typeof dailyCounts.$inferSelect.kind

export type DayCounts = { readonly day: string } & Readonly<Record<Exclude<Kind, 'deletion'>, number>>

/** Counts what ended in each of the last `days` days (UTC) up to today. `fillDays` adds the empty ones. */
export function dailyCountsQuery(db: Database, tenantId: string, days: number, now: number) {
  const from = dayOf(now - (days - 1) * dayMs)
  // The last day of garments is still in the row that counts those waiting.
  const lastDay = (kind: 'complete' | 'failed') =>
    db
      .select({ day: tenantCounters.day, kind: sql<Kind>`${kind}`, count: tenantCounters[kind] })
      .from(tenantCounters)
      .where(and(eq(tenantCounters.tenantId, tenantId), gte(tenantCounters.day, from)))
  return db
    .select({ day: dailyCounts.day, kind: dailyCounts.kind, count: dailyCounts.count })
    .from(dailyCounts)
    .where(and(eq(dailyCounts.tenantId, tenantId), gte(dailyCounts.day, from)))
    .unionAll(lastDay('complete'))
    .unionAll(lastDay('failed'))
}

type Counted = Awaited<ReturnType<typeof dailyCountsQuery>>[number]

/** A row for each of the last `days` days up to today, oldest first, also for empty ones. */
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
