import { AsyncLocalStorage } from 'node:async_hooks'
import { type Database, openDatabase } from './database.ts'

type Sessions = Readonly<Partial<Record<'accounts' | 'tenant', Database>>>

const current = new AsyncLocalStorage<Sessions>()

/** The session that the current request has with the accounts or with its tenant's database. */
export const findSession = (which: keyof Sessions): Database | undefined => current.getStore()?.[which]

/**
 * Runs `act`, within which `accountDatabase` or `tenantDatabase` is one session of this database. It begins at the
 * nearest copy (`first-unconstrained`), at the primary (`first-primary`), or at a copy that has what was written up to
 * a bookmark. Each statement sees what those before it saw; writes go to the primary. The bookmark that is returned is
 * where the session has ended, null if no statement ran.
 */
export async function inSession<T>(which: keyof Sessions, { $client }: Database, start: string, act: () => Promise<T>) {
  const session = $client.withSession(start)
  const database = openDatabase(session as unknown as D1Database)
  const result = await current.run({ ...current.getStore(), [which]: database }, act)
  const bookmark = session.getBookmark()
  return { result, bookmark: bookmark === start ? null : bookmark }
}
