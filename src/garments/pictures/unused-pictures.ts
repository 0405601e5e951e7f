import { and, asc, eq, lte, sql } from 'drizzle-orm'
import { type Database, newId, selectRow } from '../../platform/db/database.ts'
import { unusedPictures } from '../../platform/db/schema.ts'
import { dayMs } from '../../time.ts'
import { deletePictures, pictureKeys } from './annotated-picture.ts'
import { type ExpectedGarment, whenUnchanged } from '../transitions.ts'

/** Longer than any run, and long enough for pages and clients that have read the former address. */
const keptMs = dayMs

/**
 * The id under which a run stores the picture of a garment that is tagged again. It counts as unused until
 * `exchangePictures` says otherwise, so that a run that crashes leaves no picture behind.
 */
export async function newPictureId(db: Database, tenantId: string, nowMs: number): Promise<string> {
  const pictureId = newId()
  await db.insert(unusedPictures).values({ pictureId, tenantId, removeAt: nowMs + keptMs })
  return pictureId
}

const isPicture = (tenantId: string, pictureId: string) =>
  and(eq(unusedPictures.tenantId, tenantId), eq(unusedPictures.pictureId, pictureId))

/** Puts `pictureId` to use in place of the garment's picture. Stands in a batch before the statement that does so. */
export function exchangePictures(db: Database, garment: ExpectedGarment, pictureId: string, nowMs: number) {
  const former = { pictureId: garment.pictureId, tenantId: garment.tenantId, removeAt: nowMs + keptMs }
  return [
    db
      .insert(unusedPictures)
      .select(selectRow(db, unusedPictures, former, whenUnchanged(db, garment)))
      .onConflictDoNothing(),
    db.delete(unusedPictures).where(and(isPicture(garment.tenantId, pictureId), whenUnchanged(db, garment))),
  ] as const
}

/** Removes at most `limit` unused pictures. Returns how many. */
export async function removeUnusedPictures(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  nowMs: number,
  limit: number,
): Promise<number> {
  const due = await db
    .select()
    .from(unusedPictures)
    .where(lte(unusedPictures.removeAt, nowMs))
    .orderBy(asc(unusedPictures.removeAt))
    .limit(limit)
  if (due.length === 0) return 0
  await deletePictures(
    pictures,
    due.flatMap(({ tenantId, pictureId }) => pictureKeys(tenantId, pictureId)),
  )
  const keys = JSON.stringify(due.map(({ tenantId, pictureId }) => [tenantId, pictureId]))
  await db
    .delete(unusedPictures)
    .where(sql`(tenant_id, picture_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`)
  return due.length
}
