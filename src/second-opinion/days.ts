import { and, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { opinionDays } from '../db/schema.ts'
import { dayOf } from '../time.ts'

export type Counted = Omit<typeof opinionDays.$inferSelect, 'day'>
export type Outcome = Counted['outcome']

/** `2026-11` */
export const monthOf = (ms: number) => dayOf(ms).slice(0, 7)

/** After every day of a month. */
const lastDay = (month: string) => `${month}-99`

const monthQuery = (db: Database, nowMs: number) => {
  const month = monthOf(nowMs)
  return db
    .select({ dollars: sql<number>`coalesce(sum(${opinionDays.dollars}), 0)` })
    .from(opinionDays)
    .where(and(gte(opinionDays.day, month), lt(opinionDays.day, lastDay(month))))
}

/** The spending in the month so far, in dollars. */
export async function readMonth(db: Database, nowMs: number): Promise<number> {
  const [row] = await monthQuery(db, nowMs)
  return row?.dollars ?? 0
}

/** Adds to the counts of the day. Returns the spending in the month so far, in dollars. */
export async function addToDay(db: Database, counted: readonly Counted[], nowMs: number): Promise<number> {
  const day = dayOf(nowMs)
  const sum = (column: 'count' | 'tokens' | 'dollars') =>
    sql`${opinionDays[column]} + excluded.${sql.identifier(column)}`
  const [, [row]] = await db.batch([
    db
      .insert(opinionDays)
      .values(counted.map((each) => ({ day, ...each })))
      .onConflictDoUpdate({
        target: [opinionDays.day, opinionDays.outcome],
        set: { count: sum('count'), tokens: sum('tokens'), dollars: sum('dollars') },
      }),
    monthQuery(db, nowMs),
  ])
  return row?.dollars ?? 0
}
