import { and, eq, gte, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { merchants, opinionDays, tenants } from '../db/schema.ts'
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

/** What a merchant has spent in the month, for a statement on `merchants`. */
const spentIn = (nowMs: number) =>
  sql<number>`iif(${merchants.opinionMonth} = ${monthOf(nowMs)}, ${merchants.opinionDollars}, 0)`

interface Spent {
  readonly id: string
  readonly dollars: number
}

/** The spending of a merchant in the month so far, in dollars. */
export async function findSpent(db: Database, merchantId: string, nowMs: number): Promise<number> {
  const [row] = await db
    .select({ dollars: spentIn(nowMs) })
    .from(merchants)
    .where(eq(merchants.id, merchantId))
  return row?.dollars ?? 0
}

/**
 * The spending in the month so far, in dollars: of everybody, and of the merchant of a tenant, who is missing if the
 * tenant was deleted.
 */
export async function readMonth(
  db: Database,
  tenantId: string,
  nowMs: number,
): Promise<{ readonly total: number; readonly merchant: Spent | undefined }> {
  const [[row], [merchant]] = await db.batch([
    monthQuery(db, nowMs),
    db
      .select({ id: merchants.id, dollars: spentIn(nowMs) })
      .from(tenants)
      .innerJoin(merchants, eq(merchants.id, tenants.merchantId))
      .where(eq(tenants.id, tenantId)),
  ])
  return { total: row?.dollars ?? 0, merchant }
}

/**
 * Adds to the counts of the day, and in the same transaction to what merchants have spent, by id. Returns the spending
 * in the month so far, in dollars: of everybody, and of these merchants.
 */
export async function addToDay(
  db: Database,
  counted: readonly Counted[],
  spent: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<{ readonly total: number; readonly merchants: readonly Spent[] }> {
  const day = dayOf(nowMs)
  const sum = (column: 'count' | 'tokens' | 'dollars') =>
    sql`${opinionDays[column]} + excluded.${sql.identifier(column)}`
  const [, spenders, [row]] = await db.batch([
    db
      .insert(opinionDays)
      .values(counted.map((each) => ({ day, ...each })))
      .onConflictDoUpdate({
        target: [opinionDays.day, opinionDays.outcome],
        set: { count: sum('count'), tokens: sum('tokens'), dollars: sum('dollars') },
      }),
    db
      .update(merchants)
      .set({ opinionMonth: monthOf(nowMs), opinionDollars: sql`${spentIn(nowMs)} + spent.value` })
      .from(sql`json_each(${JSON.stringify(Object.fromEntries(spent))}) AS spent`)
      .where(sql`${merchants.id} = spent.key`)
      .returning({ id: merchants.id, dollars: merchants.opinionDollars }),
    monthQuery(db, nowMs),
  ])
  return { total: row?.dollars ?? 0, merchants: spenders }
}
