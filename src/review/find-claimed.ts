import { and, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { facets, garments } from '../db/schema.ts'

/**
 * The complete garment that this session has claimed, null if it is another's or its lease has ended; and whether the
 * tenant has any garment with a value in doubt, claimed or not. One round trip.
 */
export async function findClaimed(
  db: Database,
  tenantId: string,
  { uuid, sessionId }: { readonly uuid: string; readonly sessionId: string },
  nowMs: number,
) {
  const mine = eq(garments.tenantId, tenantId)
  const isClaimed = and(eq(garments.reviewSession, sessionId), gt(garments.reviewUntil, nowMs))
  const [[garment], doubtful] = await db.batch([
    db
      .select()
      .from(garments)
      .where(and(mine, eq(garments.uuid, uuid), eq(garments.status, 'complete'), isClaimed)),
    db
      .select({ one: sql`1` })
      .from(garments)
      .where(and(mine, sql`tag IS NOT NULL AND ${facets.doubt} > 0`))
      .limit(1),
  ])
  return { garment: garment ?? null, hasDoubtful: doubtful.length > 0 }
}
