/**
 * Runs one database call. It may count the call, delay it or make it fail. `statement` is passed for `raw`, whose
 * result has no `meta`.
 */
type AroundCall = <T>(run: () => Promise<T>, statement?: D1PreparedStatement) => Promise<T>

/** Wraps a real database so that every round trip goes through `around`. */
export function wrapDatabase(database: D1Database, around: AroundCall): D1Database {
  // A batch accepts only unwrapped statements.
  const originals = new WeakMap<object, D1PreparedStatement>()
  function wrap(statement: D1PreparedStatement): D1PreparedStatement {
    const wrapped = replaceMethods(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      run: async () => await around(() => statement.run()),
      all: async () => await around(() => statement.all()),
      raw: async () => await around(() => statement.raw(), statement),
    })
    originals.set(wrapped, statement)
    return wrapped
  }
  const wrapClient = <T extends Pick<D1Database, 'prepare' | 'batch'>>(client: T): T =>
    replaceMethods(client, {
      prepare: (query: string) => wrap(client.prepare(query)),
      batch: async (statements: D1PreparedStatement[]) =>
        await around(() => client.batch(statements.map((statement) => originals.get(statement) ?? statement))),
      withSession: (start: string) => wrapClient(database.withSession(start)),
    })
  return wrapClient(database)
}

/** Returns a proxy of the target with some methods replaced. */
export function replaceMethods<T extends object>(target: T, methods: Readonly<Record<string, unknown>>): T {
  return new Proxy(target, {
    get(_, property) {
      if (typeof property === 'string' && property in methods) return methods[property]
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
