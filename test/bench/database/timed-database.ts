import { globSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** Of this thread. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

interface TimedStatement {
  readonly sql: string
  readonly ms: number
}

/**
 * A database of SQLite in a file, with all migrations, that is called like D1 and tells how much processor time each
 * statement took, which other load on the machine changes little. D1 runs one statement at a time, as this does, but has
 * no clock that is fine enough.
 */
export function openTimedDatabase(path: string) {
  const file = new DatabaseSync(path)
  const statements: TimedStatement[] = []
  if (file.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'] === 0)
    for (const migration of globSync('migrations/*.sql').sort()) file.exec(readFileSync(migration, 'utf8'))

  function run(sql: string, params: readonly unknown[]) {
    const before = cpuMs()
    const statement = file.prepare(sql)
    const values = params as SQLInputValue[]
    const returnsRows = statement.columns().length > 0
    const results = returnsRows ? statement.all(...values) : []
    const changes = returnsRows ? results.length : Number(statement.run(...values).changes)
    statements.push({ sql, ms: cpuMs() - before })
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
    file.exec('BEGIN')
    const results = prepared.map((statement) => statement.now())
    file.exec('COMMIT')
    return results
  }

  return {
    /** For setting up, not timed. */
    file,
    binding: {
      prepare,
      batch: async (all: readonly ReturnType<typeof prepare>[]) => batch(all),
    } as unknown as D1Database,
    /** The statements since the last call. */
    takeStatements: () => statements.splice(0),
  }
}
