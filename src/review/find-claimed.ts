import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments, tenantState, imports } from '../db/schema.ts'
import { reviewAttributesOf } from '../garment/doubt.ts'
import { doubtfulGarments, type ReviewFilter } from './review-filter.ts'

/** The choice if no garment was requested. */
const listedImports = 20

interface Claim {
  /** Empty if none was requested. */
  readonly uuid: string
  readonly sessionId: string
}

/**
 * The complete garment that is claimed for a session, null if it is another's or the claim has expired; whether the
 * filter leaves any garment in doubt, claimed or not; the attributes that the tenant has reviewed, and its newest
 * imports. One round trip.
 */
export async function findClaimed(
  db: Database,
  tenantId: string,
  { uuid, sessionId }: Claim,
  nowMs: number,
  filter: ReviewFilter = {},
) {
  const mine = eq(garments.tenantId, tenantId)
  const isClaimed = and(eq(garments.reviewSession, sessionId), gt(garments.reviewUntil, nowMs))
  const [[garment], doubtful, [tenant], newest] = await db.batch([
    db
      .select()
      .from(garments)
      .where(and(mine, eq(garments.uuid, uuid), eq(garments.status, 'complete'), isClaimed)),
    db.select({ one: sql`1` }).from(sql`(SELECT 1 FROM (${doubtfulGarments(tenantId, filter, sql`1`)}) LIMIT 1)`),
    db
      .select({ reviewAttributes: tenantState.reviewAttributes })
      .from(tenantState)
      .where(eq(tenantState.tenantId, tenantId)),
    db
      .select({ id: imports.id, name: imports.name })
      .from(imports)
      .where(eq(imports.tenantId, tenantId))
      .orderBy(desc(imports.createdAt), desc(imports.id))
      .limit(uuid === '' ? listedImports : 0),
  ])
  return {
    garment: garment ?? null,
    hasDoubtful: doubtful.length > 0,
    reviewed: reviewAttributesOf(tenant?.reviewAttributes ?? null),
    imports: newest,
  }
}
