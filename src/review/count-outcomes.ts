import { sql, type SQL } from 'drizzle-orm'
import type { Corrections } from '../correction/rules/correction.ts'
import type { Database } from '../db/client.ts'
import { reviewCounts } from '../db/schema.ts'
import { outcomeChanges } from './review-outcomes.ts'

interface CountedCorrection {
  readonly before: Corrections
  readonly after: Corrections
  /** Nothing is counted unless it holds. */
  readonly condition: SQL
}

/** The statement that counts a correction. It stands before the one that stores the correction. */
export function countOutcomes(db: Database, tenantId: string, { before, after, condition }: CountedCorrection) {
  const changes = Object.entries(outcomeChanges(before, after)).filter(([, week]) => Object.keys(week).length > 0)
  const sums = sql`(
    SELECT json_group_object(key, number) FROM (
      SELECT key, max(sum(value), 0) AS number FROM (
        SELECT key, value FROM json_each(review_counts.counts)
        UNION ALL SELECT key, value FROM json_each(excluded.counts)
      ) GROUP BY key
    )
  )`
  return db
    .insert(reviewCounts)
    .select(
      sql`SELECT ${tenantId}, value ->> 0, value -> 1 FROM json_each(${JSON.stringify(changes)}) WHERE ${condition}`,
    )
    .onConflictDoUpdate({ target: [reviewCounts.tenantId, reviewCounts.week], set: { counts: sums } })
}
