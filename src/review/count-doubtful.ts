import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { doubtfulGarments, type ReviewFilter } from './review-filter.ts'

/** Rows of an index are counted no further. */
export const maxCounted = 10_000

/** How many garments in doubt the filter leaves, claimed or not: at most `maxCounted` and one more. */
export async function countDoubtful(db: Database, tenantId: string, filter: ReviewFilter): Promise<number> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM (${doubtfulGarments(tenantId, filter, sql`1`)}) LIMIT ${maxCounted + 1})`)
  return row?.count ?? 0
}
