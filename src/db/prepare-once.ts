import { fillPlaceholders } from 'drizzle-orm'
import type { Database } from './client.ts'

/** Builds a query once for each client, because building one costs more CPU than running it. */
export function prepareOnce<T>(build: (db: Database) => T): (db: Database) => T {
  const prepared = new WeakMap<Database, T>()
  return (db) => {
    const known = prepared.get(db)
    if (known !== undefined) return known
    const query = build(db)
    prepared.set(db, query)
    return query
  }
}

interface Statement {
  readonly toSQL: () => { readonly sql: string; readonly params: unknown[] }
}

/**
 * Runs the statements that `build` makes as one batch, with values for their placeholders. They are built once too.
 * `Row` is what those that return rows return, by the names of the columns.
 */
export function prepareBatchOnce<Row>(build: (db: Database) => readonly Statement[]) {
  const prepared = prepareOnce((db) =>
    build(db).map((statement) => {
      const { sql, params } = statement.toSQL()
      return { statement: db.$client.prepare(sql), params }
    }),
  )
  return async (db: Database, values: Readonly<Record<string, unknown>>): Promise<D1Result<Row>[]> =>
    await db.$client.batch<Row>(
      prepared(db).map(({ statement, params }) => statement.bind(...fillPlaceholders(params, values))),
    )
}
