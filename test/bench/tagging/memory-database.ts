import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/** Creates an SQLite database in memory with all migrations. It is called like D1. */
export function openMemoryDatabase() {
  const database = new DatabaseSync(':memory:')
  for (const migration of globSync('migrations/*.sql').sort()) database.exec(readFileSync(migration, 'utf8'))
  const known = new Map<string, { readonly statement: StatementSync; readonly returnsRows: boolean }>()

  function run(sql: string, params: readonly unknown[]) {
    const statement = known.get(sql)?.statement ?? database.prepare(sql)
    const returnsRows = known.get(sql)?.returnsRows ?? statement.columns().length > 0
    known.set(sql, { statement, returnsRows })
    const values = params as SQLInputValue[]
    const results = returnsRows ? statement.all(...values) : []
    const changes = returnsRows ? results.length : Number(statement.run(...values).changes)
    return { results, meta: { changes } }
  }

  const prepare = (sql: string, params: readonly unknown[] = []) => ({
    bind: (...values: unknown[]) => prepare(sql, values),
    all: async () => run(sql, params),
    run: async () => run(sql, params),
    raw: async () => run(sql, params).results.map((row) => Object.values(row)),
    now: () => run(sql, params),
  })

  function batch(prepared: readonly ReturnType<typeof prepare>[]) {
    database.exec('BEGIN')
    try {
      const results = prepared.map((statement) => statement.now())
      database.exec('COMMIT')
      return results
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }

  const binding = { prepare, batch: async (all: readonly ReturnType<typeof prepare>[]) => batch(all) }
  return { database, binding: binding as unknown as D1Database }
}
