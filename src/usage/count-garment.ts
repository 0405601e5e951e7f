import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { dailyCounts, tenantCounters } from '../db/schema.ts'
import { dayOf } from '../time.ts'

interface EndedGarment {
  readonly tenantId: string
  readonly status: 'complete' | 'failed'
  /** Nothing is counted unless it holds. */
  readonly condition: SQL
  /** The tenant's list of turns after it. */
  readonly turns: SQL<string>
}

/**
 * The statements that count a garment as ended and as no longer waiting. They stand before the one that ends it. The
 * first one writes nothing but on the first ending of a day. The second one returns the list of turns.
 */
export function countGarment(db: Database, { tenantId, status, condition, turns }: EndedGarment, nowMs: number) {
  const day = dayOf(nowMs)
  const { complete, failed } = tenantCounters
  const countOf = (column: typeof complete | typeof failed, isThis: boolean) =>
    sql<number>`iif(${tenantCounters.day} = ${day}, ${column}, 0) + ${isThis ? 1 : 0}`
  return [
    db
      .insert(dailyCounts)
      .select(
        sql`
          SELECT tenant_id, day, kind.value, iif(kind.value = 'complete', complete, failed) AS number
          FROM ${tenantCounters}, json_each('["complete", "failed"]') AS kind
          WHERE tenant_id = ${tenantId} AND day NOT IN ('', ${day}) AND number > 0 AND ${condition}`,
      )
      .onConflictDoUpdate({
        target: [dailyCounts.tenantId, dailyCounts.day, dailyCounts.kind],
        set: { count: sql`${dailyCounts.count} + excluded.count` },
      }),
    db
      .update(tenantCounters)
      .set({
        waiting: sql`max(${tenantCounters.waiting} - 1, 0)`,
        day,
        complete: countOf(complete, status === 'complete'),
        failed: countOf(failed, status === 'failed'),
        turns,
      })
      .where(and(eq(tenantCounters.tenantId, tenantId), condition))
      .returning({ turns: tenantCounters.turns }),
  ] as const
}
