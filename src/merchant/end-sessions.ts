import { and, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { endedSessions, merchants } from '../db/schema.ts'
import type { Session } from './token.ts'

/** Ends one dashboard session, so that a copy of its cookie is worth nothing. */
export async function endSession(db: Database, { id: merchantId, sessionId, expiresAt }: Session, nowMs: number) {
  const ended = { id: sessionId, merchantId, expiresAt: expiresAt * 1000 }
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
