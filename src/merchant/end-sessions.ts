import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { endedSessions, merchants } from '../db/schema.ts'
import { sessionLifetimeSeconds, type Session } from './token.ts'

/** Ends one dashboard session, so that a copy of its cookie is refused. */
export async function endSession(db: Database, { id: merchantId, sessionId, signedInAt }: Session, nowMs: number) {
  // Not when this cookie expires: the copy may have been renewed since, and must not outlive the row.
  const ended = { id: sessionId, merchantId, expiresAt: (signedInAt + sessionLifetimeSeconds) * 1000 }
  await db.batch([
    db.insert(endedSessions).values(ended).onConflictDoNothing(),
    db.delete(endedSessions).where(and(eq(endedSessions.merchantId, merchantId), lt(endedSessions.expiresAt, nowMs))),
  ])
}

/** Ends all sessions and access tokens of a merchant. */
export async function endAllSessions(db: Database, merchantId: string): Promise<void> {
  await db.batch([
    db
      .update(merchants)
      .set({ sessionVersion: sql`${merchants.sessionVersion} + 1` })
      .where(eq(merchants.id, merchantId)),
    db.delete(endedSessions).where(eq(endedSessions.merchantId, merchantId)),
  ])
}
