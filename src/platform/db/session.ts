import { type Database, openDatabase } from './database.ts'

/**
 * Opens a session of a database. It begins at the nearest copy (`first-unconstrained`), at the primary
 * (`first-primary`), or at a copy that has everything written up to a bookmark. Each statement sees the effects of
 * earlier ones. Writes go to the primary.
 */
export function openSession({ $client }: Database, start: string) {
  const session = $client.withSession(start)
  return {
    db: openDatabase(session as unknown as D1Database),
    /** Returns the session's bookmark. Null if no statement has run. */
    readBookmark: (): string | null => {
      const bookmark = session.getBookmark()
      return bookmark === start ? null : bookmark
    },
  }
}
