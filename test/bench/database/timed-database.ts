import { globSync, readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { threadMs } from './thread-clock.ts'

interface TimedStatement {
  readonly sql: string
  readonly ms: number
}

/**
 * A database of SQLite in a file, with all migrations, that is called like D1 and tells how much processor time each
 * statement took, which other load on the machine changes little. D1 runs one statement at a time, as this
 * does, but has no clock that is fine enough. Callers take turns, as each call of D1 is a request of its own.
 */
export function openTimedDatabase(path: string) {
  const file = new DatabaseSync(path)
  const statements: TimedStatement[] = []
  if (file.prepare('SELECT count(*) AS count FROM sqlite_schema').get()?.['count'] === 0)
    for (const migration of globSync('migrations/*.sql').sort()) file.exec(readFileSync(migration, 'utf8'))

  function run(sql: string, params: readonly unknown[]) {
    const before = threadMs()
    const statement = file.prepare(sql)
    const values = params as SQLInputValue[]
    const returnsRows = statement.columns().length > 0
    const results = returnsRows ? statement.all(...values) : []
    const changes = returnsRows ? results.length : Number(statement.run(...values).changes)
    statements.push({ sql, ms: threadMs() - before })
    return { results, meta: { changes, size_after: 0 } }
  }

  const prepare = (sql: string, params: readonly unknown[] = []) => ({
    bind: (...values: unknown[]) => prepare(sql, values),
    all: async () => await inTurn(() => run(sql, params)),
    run: async () => await inTurn(() => run(sql, params)),
    raw: async () => await inTurn(() => run(sql, params).results.map((row) => Object.values(row))),
    now: () => run(sql, params),
  })

  async function inTurn<T>(action: () => T): Promise<T> {
    await nextTurn()
    return action()
  }

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
      batch: async (all: readonly ReturnType<typeof prepare>[]) => await inTurn(() => batch(all)),
    } as unknown as D1Database,
    /** The statements since the last call. */
    takeStatements: () => statements.splice(0),
  }
}
