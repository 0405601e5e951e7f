import { and, asc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, sweepPositions } from '../../db/schema.ts'

const sweepName = 'attempts of deliveries'

/**
 * Erases the answers of at most `limit` attempts that were made before `beforeMs`, and removes those whose delivery is
 * gone. Returns how many attempts it has passed. Rows are in the order in which they were written, so the position of
 * the last one is enough to go on from.
 */
export async function eraseOldAnswers(db: Database, beforeMs: number, limit: number): Promise<number> {
  const rowid = sql<number>`delivery_attempts.rowid`
  const [[stored], [newest]] = await db.batch([
    db.select().from(sweepPositions).where(eq(sweepPositions.name, sweepName)),
    db.select({ rowid: sql<number | null>`max(${rowid})` }).from(deliveryAttempts),
  ])
  // SQLite gives rowids out again if the newest rows are deleted.
  const position = Math.min(stored?.position ?? 0, newest?.rowid ?? 0)
  const rows = await db
    .select({ rowid, at: deliveryAttempts.at })
    .from(deliveryAttempts)
    .where(gt(rowid, position))
    .orderBy(asc(rowid))
    .limit(limit)
  const firstYoung = rows.findIndex(({ at }) => at >= beforeMs)
  const last = (firstYoung === -1 ? rows : rows.slice(0, firstYoung)).at(-1)
  if (last === undefined) return 0
  await db.batch([
    db
      .delete(deliveryAttempts)
      .where(
        and(
          gt(rowid, position),
          lte(rowid, last.rowid),
          sql`NOT EXISTS (SELECT 1 FROM ${deliveries} WHERE number = ${deliveryAttempts.deliveryNumber})`,
        ),
      ),
    db
      .update(deliveryAttempts)
      .set({ responseBody: '' })
      .where(and(gt(rowid, position), lte(rowid, last.rowid), ne(deliveryAttempts.responseBody, ''))),
    db
      .insert(sweepPositions)
      .values({ name: sweepName, position: last.rowid })
      .onConflictDoUpdate({ target: sweepPositions.name, set: { position: last.rowid } }),
  ])
  return firstYoung === -1 ? rows.length : firstYoung
}
