import { wrapDatabase } from './wrap-database.ts'

/**
 * Wraps a database. Reports each round trip to `onTrip`, and adds statements, rows read and rows written (including
 * index rows) to `counts`.
 */
export function countDatabase(
  database: D1Database,
  onTrip: () => void = () => {},
  counts = { statements: 0, rowsRead: 0, rowsWritten: 0 },
) {
  const add = ({ meta }: D1Result) => {
    counts.statements++
    counts.rowsRead += meta.rows_read
    counts.rowsWritten += meta.rows_written
  }
  const DB = wrapDatabase(database, async (run, statement) => {
    onTrip()
    if (statement === undefined) {
      const result = await run()
      for (const each of [result].flat()) add(each as D1Result)
      return result
    }
    // `raw` does not report rows, so the statement runs as `all` too, unless it has written something.
    const result = await statement.all<Record<string, unknown>>()
    add(result)
    if (!result.meta.changed_db) return await run()
    return result.results.map((row) => Object.values(row)) as Awaited<ReturnType<typeof run>>
  })
  return { DB, counts }
}
