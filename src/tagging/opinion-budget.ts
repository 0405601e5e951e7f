import { eq, sql } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { opinionMonths } from '../platform/db/schema.ts'
import { dayOf } from '../time.ts'

/** `2026-11`, in UTC. */
export const monthOf = (ms: number) => dayOf(ms).slice(0, 7)

/** The row of a month, which is missing until somebody is asked in it. */
export const monthQuery = (db: Database, nowMs: number) =>
  db
    .select()
    .from(opinionMonths)
    .where(eq(opinionMonths.month, monthOf(nowMs)))

/** What all tenants have spent in the month so far, in dollars. */
export async function findSpent(db: Database, nowMs: number): Promise<number> {
  const [row] = await monthQuery(db, nowMs)
  return row?.dollars ?? 0
}

interface Question {
  readonly isAnswered: boolean
  readonly dollars: number
}

export async function countQuestion(db: Database, { isAnswered, dollars }: Question, nowMs: number): Promise<void> {
  const { asked, answered, dollars: total } = opinionMonths
  await db
    .insert(opinionMonths)
    .values({ month: monthOf(nowMs), asked: 1, answered: Number(isAnswered), dollars })
    .onConflictDoUpdate({
      target: opinionMonths.month,
      set: {
        asked: sql`${asked} + 1`,
        answered: sql`${answered} + excluded.answered`,
        dollars: sql`${total} + excluded.dollars`,
      },
    })
}
