import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { fullShare, maxDatabaseBytes } from '../db/databases/database-state.ts'
import { log } from '../log.ts'

/** Measures the size of a database. Logs an error while it is above 80 % of its capacity. */
export async function measureDatabase(db: Database, number: number, alarmBytes = maxDatabaseBytes * fullShare) {
  const { meta } = await db.run(sql`SELECT 1`)
  const bytes = meta.size_after
  if (bytes > alarmBytes)
    log('error', 'database nearly full', {
      database: number,
      bytes,
      max_bytes: maxDatabaseBytes,
      remedy: 'lower RETENTION_DAYS, or add databases for new tenants',
    })
  return bytes
}
