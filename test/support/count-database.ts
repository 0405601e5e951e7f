import { wrapDatabase } from './wrap-database.ts'

const rowsRead = (result: unknown) => (result as D1Result).meta.rows_read

/** A database that reports each round trip to `onTrip` and counts the rows it reads. */
export function countDatabase(database: D1Database, onTrip: () => void = () => {}) {
  const counts = { rowsRead: 0 }
  const DB = wrapDatabase(database, async (run, statement) => {
    onTrip()
    const result = await run()
    // `raw` does not say how many rows were read, so the statement runs a second time.
    const results: unknown[] = statement === undefined ? [result].flat() : [await statement.all()]
    for (const each of results) counts.rowsRead += rowsRead(each)
    return result
  })
  return { DB, counts }
}
