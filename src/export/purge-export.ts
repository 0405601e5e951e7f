import { eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { exportDefaults, lastExports } from '../db/schema.ts'

/** Removes what a deleted tenant had chosen for its exports: a row, and one for each format. */
export async function purgeExport(db: Database, tenantId: string): Promise<void> {
  await db.batch([
    db.delete(exportDefaults).where(eq(exportDefaults.tenantId, tenantId)),
    db.delete(lastExports).where(eq(lastExports.tenantId, tenantId)),
  ])
}
