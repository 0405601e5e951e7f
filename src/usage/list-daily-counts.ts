import { and, eq, gte } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { dayOf } from './day.ts'
import { dailyCounts } from '../db/schema.ts'

const dayMs = 24 * 60 * 60 * 1000

type Kind = typeof dailyCounts.$inferSelect.kind

export type DayCounts = { readonly day: string } & Readonly<Record<Kind, number>>

/** How much ended on each of the last `days` days (UTC) up to today, oldest first, days without anything among them. */
export async function listDailyCounts(db: Database, tenantId: string, days: number, now: number) {
  return fillDays(await dailyCountsQuery(db, tenantId, days, now), days, now)
}

/** The query itself, for pages that read it in one batch with others. */
export function dailyCountsQuery(db: Database, tenantId: string, days: number, now: number) {
  return db
    .select()
    .from(dailyCounts)
    .where(and(eq(dailyCounts.tenantId, tenantId), gte(dailyCounts.day, dayOf(now - (days - 1) * dayMs))))
}

export function fillDays(rows: readonly (typeof dailyCounts.$inferSelect)[], days: number, now: number): DayCounts[] {
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(now - (days - 1 - i) * dayMs)
    const countOf = (kind: Kind) => rows.find((row) => row.day === day && row.kind === kind)?.count ?? 0
    return {
      day,
      complete: countOf('complete'),
      failed: countOf('failed'),
      delivered: countOf('delivered'),
      permanently_failed: countOf('permanently_failed'),
    }
  })
}
