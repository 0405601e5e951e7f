import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { apiKeys } from '../db/schema.ts'

/** Removes the keys of a deleted tenant, of which there are few. */
export async function purgeApiKeys(db: Database, tenantId: string): Promise<void> {
  await db.delete(apiKeys).where(eq(apiKeys.tenantId, tenantId))
}
