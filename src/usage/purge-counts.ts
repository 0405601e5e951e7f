import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { dailyCounts } from '../db/schema.ts'

/** Removes the counts of a deleted tenant: a few rows for each day. */
export async function purgeCounts(db: Database, tenantId: string): Promise<void> {
  await db.delete(dailyCounts).where(eq(dailyCounts.tenantId, tenantId))
}
