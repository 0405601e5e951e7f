import { eq } from 'drizzle-orm'
import type { Database } from '../../src/platform/db/database.ts'
import { maxDatabaseBytes, openShare } from '../../src/platform/db/databases.ts'
import { databases } from '../../src/platform/db/schema.ts'

/** Runs a function while a database is nearly full, and an established tenant may add `tenantShare` bytes a day. */
export async function fillDatabase(db: Database, act: () => Promise<void>, tenantShare = 20_000_000): Promise<void> {
  const number = 0
  const bytes = maxDatabaseBytes * openShare + 1
  await db.insert(databases).values({ number, bytes, tenantShare, sweptAt: 0, failedParts: [] })
  try {
    await act()
  } finally {
    await db.delete(databases).where(eq(databases.number, number))
  }
}
