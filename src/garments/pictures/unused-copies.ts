import { and, asc, eq, lte, sql, type SQL } from 'drizzle-orm'
import { type Database, inRows, inValues } from '../../platform/db/database.ts'
import { unusedCopies } from '../../platform/db/schema.ts'
import { dayMs } from '../../time.ts'
import { copyKeys, deleteObjects, newCopyId } from './stored-copy.ts'
import type { ExpectedGarment } from '../transitions.ts'
import { whenUnchanged } from '../transitions.ts'

/** Longer than any run. Pages and clients that have read the previous URL can still load the copy. */
const keepMs = dayMs

/** The new copies count as unused until `exchangeCopies`, so that the sweep removes the copies of a crashed run. */
export async function newCopyIds(db: Database, tenantId: string, count: number, nowMs: number): Promise<string[]> {
  const ids = Array.from({ length: count }, newCopyId)
  await db.insert(unusedCopies).values(ids.map((copyId) => ({ copyId, tenantId, removeAt: nowMs + keepMs })))
  return ids
}

/** Marks copies as unused if the condition holds. The sweep removes them after a day. */
export const markUnusedCopies = (tenantId: string, copyIds: readonly string[], condition: SQL, nowMs: number) => sql`
  INSERT OR IGNORE INTO ${unusedCopies} (copy_id, tenant_id, remove_at)
  SELECT value, ${tenantId}, ${nowMs + keepMs} FROM json_each(${JSON.stringify(copyIds)}) WHERE ${condition}`

interface ExchangedCopies {
  readonly former: readonly string[]
  readonly used: readonly string[]
}

/** Replaces a garment's copies by new ones. Must precede the statement that stores the new ids. */
export const exchangeCopies = (
  db: Database,
  garment: ExpectedGarment,
  { former, used }: ExchangedCopies,
  nowMs: number,
) =>
  [
    markUnusedCopies(garment.tenantId, former, whenUnchanged(garment), nowMs),
    db
      .delete(unusedCopies)
      .where(
        and(eq(unusedCopies.tenantId, garment.tenantId), inValues(unusedCopies.copyId, used), whenUnchanged(garment)),
      ),
  ] as const

/** Removes at most `limit` unused copies, and returns their number. */
export async function removeUnusedCopies(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  nowMs: number,
  limit: number,
): Promise<number> {
  const due = await db
    .select()
    .from(unusedCopies)
    .where(lte(unusedCopies.removeAt, nowMs))
    .orderBy(asc(unusedCopies.removeAt))
    .limit(limit)
  if (due.length === 0) return 0
  await deleteObjects(
    pictures,
    due.flatMap(({ tenantId, copyId }) => copyKeys(tenantId, copyId)),
  )
  const keys = due.map(({ tenantId, copyId }) => [tenantId, copyId])
  await db.delete(unusedCopies).where(inRows(['tenant_id', 'copy_id'], keys))
  return due.length
}
