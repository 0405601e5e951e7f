import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { auditEntries } from '../db/schema.ts'
import { cutPage, olderThan, parseCursor, type PageRequest } from '../db/page.ts'

export type AuditEntry = typeof auditEntries.$inferSelect

/** A log: in which database, and whose. */
export interface AuditLog {
  readonly db: Database
  readonly holderId: string
}

/** The entries of several logs together, newest first. Each is read from its own database. */
export async function listEntries(logs: readonly AuditLog[], { limit, cursor }: PageRequest) {
  const position = parseCursor(cursor)
  const found = await Promise.all(
    logs.map(({ db, holderId }) =>
      db
        .select()
        .from(auditEntries)
        .where(
          and(eq(auditEntries.holderId, holderId), position && olderThan(auditEntries.at, auditEntries.id, position)),
        )
        .orderBy(desc(auditEntries.at), desc(auditEntries.id))
        .limit(limit + 1),
    ),
  )
  const newest = found.flat().sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  return cutPage(newest, limit, ({ at, id }) => ({ at, id }))
}
