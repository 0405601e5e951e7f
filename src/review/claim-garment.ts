import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { minuteMs } from '../time.ts'
import { doubtfulGarments, mostDoubtful, type ReviewFilter } from './review-filter.ts'

/** Long enough to review one garment and the next, which is claimed ahead. */
export const leaseMs = 10 * minuteMs

/**
 * Claims the tenant's most doubtful garment for a session, by colour and then the newest first, and returns its uuid;
 * null if none is left. No other session is given it before the lease ends.
 */
export async function claimGarment(
  db: Database,
  tenantId: string,
  sessionId: string,
  nowMs: number,
  filter: ReviewFilter = {},
): Promise<string | null> {
  const isFree = sql`coalesce(review_until, 0) <= ${nowMs}`
  // The query builder's UPDATE has no alias, and the garment must be found and claimed in one statement.
  const [claimed] = await db.all<{ uuid: string }>(sql`
    UPDATE ${garments} SET review_session = ${sessionId}, review_until = ${nowMs + leaseMs}
    WHERE tenant_id = ${tenantId} AND uuid = (
      SELECT uuid FROM (${doubtfulGarments(tenantId, filter, isFree)}) ORDER BY ${mostDoubtful} LIMIT 1
    )
    RETURNING uuid`)
  return claimed?.uuid ?? null
}
