import { eq } from 'drizzle-orm'
import type { Database } from '../../src/platform/db/database.ts'
import { tenantState } from '../../src/platform/db/schema.ts'

/** Test files share databases: at this time, before 1970, a removal finds no row of another test old enough. */
export const removalMs = Date.UTC(1960, 0, 1)

/** A new tenant, or one with a new period, is due from 1970 on; this makes it due at any time. */
export async function makeExpiryDue(db: Database, tenantId: string): Promise<void> {
  await db.update(tenantState).set({ expiryCheckAt: Number.MIN_SAFE_INTEGER }).where(eq(tenantState.tenantId, tenantId))
}
