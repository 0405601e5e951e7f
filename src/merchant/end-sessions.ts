import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { endedSessions, members } from '../db/schema.ts'
import { sessionLifetimeSeconds, type Session } from './token.ts'

/** Ends one dashboard session, so that a copy of its cookie is refused. */
export async function endSession(db: Database, { memberId, sessionId, signedInAt }: Session, nowMs: number) {
  // Not when this cookie expires: the copy may have been renewed since, and must not outlive the row.
  const ended = { id: sessionId, memberId, expiresAt: (signedInAt + sessionLifetimeSeconds) * 1000 }
  await db.batch([
    db.insert(endedSessions).values(ended).onConflictDoNothing(),
    db.delete(endedSessions).where(and(eq(endedSessions.memberId, memberId), lt(endedSessions.expiresAt, nowMs))),
  ])
}

/** Ends all sessions and access tokens of a member. */
export async function endAllSessions(db: Database, memberId: string): Promise<void> {
  await db.batch([
    db
      .update(members)
      .set({ sessionVersion: sql`${members.sessionVersion} + 1` })
      .where(eq(members.id, memberId)),
    db.delete(endedSessions).where(eq(endedSessions.memberId, memberId)),
  ])
}
