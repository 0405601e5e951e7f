import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { reviewCounts } from '../db/schema.ts'

/** Removes the counts of a deleted tenant: a row for each week. */
export async function purgeReviewCounts(db: Database, tenantId: string): Promise<void> {
  await db.delete(reviewCounts).where(eq(reviewCounts.tenantId, tenantId))
}
