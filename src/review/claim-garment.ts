import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { facets, garments } from '../db/schema.ts'

/** Long enough to look at one garment and at the next, which is claimed ahead. */
export const leaseMs = 10 * 60_000

/**
 * Claims the tenant's most doubtful garment for a session, by colour and then the newest first, and returns its uuid;
 * null if none is left. No other session is given it before the lease ends.
 */
export async function claimGarment(
  db: Database,
  tenantId: string,
  sessionId: string,
  nowMs: number,
): Promise<string | null> {
  // The query builder's UPDATE has no alias, and the garment must be found and claimed in one statement.
  const [claimed] = await db.all<{ uuid: string }>(sql`
    UPDATE ${garments} SET review_session = ${sessionId}, review_until = ${nowMs + leaseMs}
    WHERE tenant_id = ${tenantId} AND uuid = (
      SELECT uuid FROM ${garments} INDEXED BY garments_by_doubt
      WHERE tenant_id = ${tenantId} AND tag IS NOT NULL AND ${facets.doubt} > 0 AND coalesce(review_until, 0) <= ${nowMs}
      ORDER BY ${facets.doubt} DESC, ${facets.colour} DESC, created_at DESC, uuid DESC LIMIT 1
    )
    RETURNING uuid`)
  return claimed?.uuid ?? null
}
