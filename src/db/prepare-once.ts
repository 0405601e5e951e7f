import type { Database } from './client.ts'

/** Gives the query that `build` makes, built once for each client: building one costs more CPU than running it. */
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
