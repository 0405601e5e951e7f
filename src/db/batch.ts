import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Database } from './client.ts'

const dialect = new SQLiteAsyncDialect()

/**
 * Runs statements as one transaction in one round trip: all of them, or none. Gives each statement's returned rows.
 * It exists because drizzle's own `db.batch` takes no statement written as `sql`.
 */
export async function batch(db: Database, statements: readonly SQL[]): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement)
    return db.$client.prepare(sql).bind(...params)
  })
  const results = await db.$client.batch<Record<string, unknown>>(prepared)
  return results.map((result) => result.results)
}
