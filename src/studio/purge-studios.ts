import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { studios } from '../db/schema.ts'

/** Removes the studios of a deleted tenant, of which there are few. */
export async function purgeStudios(db: Database, tenantId: string): Promise<void> {
  await db.delete(studios).where(eq(studios.tenantId, tenantId))
}
