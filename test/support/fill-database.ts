import { eq } from 'drizzle-orm'
import type { Database } from '../../src/platform/db/database.ts'
import { maxDatabaseBytes, openShare } from '../../src/platform/db/databases.ts'
import { databases } from '../../src/platform/db/schema.ts'

/** Runs a function while a database reports that it is nearly full. */
export async function fillDatabase(db: Database, act: () => Promise<void>): Promise<void> {
  const number = 0
  const bytes = maxDatabaseBytes * openShare + 1
  await db.insert(databases).values({ number, bytes, sweptAt: 0, failedParts: '' })
  try {
    await act()
  } finally {
    await db.delete(databases).where(eq(databases.number, number))
  }
}
