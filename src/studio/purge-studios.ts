import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { studios } from '../db/schema.ts'

/** Removes the studios of a deleted tenant, at most 100 rows. Gives how many they were. */
export async function purgeStudios(db: Database, tenantId: string): Promise<number> {
  const { meta } = await db.delete(studios).where(eq(studios.tenantId, tenantId))
  return meta.changes
}
