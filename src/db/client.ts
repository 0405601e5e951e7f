import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'

export type Database = DrizzleD1Database & { readonly $client: D1Database }

/** One client for each binding: it holds no state of a request, and prepared queries belong to it. */
const clients = new WeakMap<D1Database, Database>()

export function openDatabase(binding: D1Database): Database {
  const known = clients.get(binding)
  if (known !== undefined) return known
  const client: Database = drizzle(binding)
  clients.set(binding, client)
  return client
}
