import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { doubtfulGarments, type ReviewFilter } from './review-filter.ts'

/** No more rows of an index are counted. */
export const maxCounted = 10_000

/** The number of doubtful garments that match the filter, claimed or not; at most `maxCounted` + 1. */
export async function countDoubtful(db: Database, tenantId: string, filter: ReviewFilter): Promise<number> {
  const [row] = await db.all<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM (${doubtfulGarments(tenantId, filter, sql`1`)}) LIMIT ${maxCounted + 1})`)
  return row?.count ?? 0
}
