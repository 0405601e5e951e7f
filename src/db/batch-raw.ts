import type { SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import type { Database } from './client.ts'

const dialect = new SQLiteAsyncDialect()

/**
 * Runs statements that the query builder cannot express in one transaction, and returns their rows. The builder's own
 * `batch` fails on such statements with parameters.
 */
export async function batchRaw(db: Database, statements: readonly SQL[]): Promise<D1Result<Record<string, unknown>>[]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement)
    return db.$client.prepare(sql).bind(...params)
  })
  return await db.$client.batch(prepared)
}
