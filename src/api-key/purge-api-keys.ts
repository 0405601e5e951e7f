import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys } from '../db/schema.ts'

/** Removes what is left of a deleted tenant's keys, at most 20 rows. Gives how many they were. */
export async function purgeApiKeys(db: Database, tenantId: string): Promise<number> {
  const { meta } = await db.delete(apiKeys).where(eq(apiKeys.tenantId, tenantId))
  return meta.changes
}
