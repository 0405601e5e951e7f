/** A database whose round trips are told to `onTrip`, and whose rows read are counted. */
export function countDatabase(database: D1Database, onTrip: () => void) {
  const counts = { rowsRead: 0 }
  const real = new WeakMap<object, D1PreparedStatement>()
  const note = <T extends D1Result>(result: T) => ((counts.rowsRead += result.meta.rows_read), result)
  const statement = (inner: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => statement(inner.bind(...values)),
      all: async () => (onTrip(), note(await inner.all())),
      run: async () => (onTrip(), note(await inner.run())),
      raw: async () => {
        onTrip()
        // `raw` tells nothing of the rows read, so it is asked twice.
        note(await inner.all())
        return await inner.raw()
      },
    } as unknown as D1PreparedStatement
    real.set(wrapped, inner)
    return wrapped
  }
  const DB = {
    prepare: (query: string) => statement(database.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      onTrip()
      return (await database.batch(statements.map((each) => real.get(each)!))).map(note)
    },
  } as unknown as D1Database
  return { DB, counts }
}
