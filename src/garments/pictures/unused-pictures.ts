import { and, asc, eq, lte, sql, type SQL } from 'drizzle-orm'
import { type Database, inRows, inValues } from '../../platform/db/database.ts'
import { unusedPictures } from '../../platform/db/schema.ts'
import { dayMs } from '../../time.ts'
import { deletePictures, newPictureId, pictureKeys } from './annotated-picture.ts'
import type { GarmentRow } from '../garment.ts'
import { type ExpectedGarment, whenUnchanged } from '../transitions.ts'
import { newImagesId, type PictureIds, picturesOf } from './images.ts'

/** Longer than any run, and long enough for pages and clients that have read the former address. */
const keptMs = dayMs

/**
 * The ids under which a run stores the pictures of a garment that is tagged again. They count as unused until
 * `exchangePictures` says otherwise, so that a run that crashes leaves no picture behind.
 */
export async function newPictureIds(
  db: Database,
  { tenantId, images }: Pick<GarmentRow, 'tenantId' | 'images'>,
  nowMs: number,
): Promise<PictureIds> {
  const ids = { pictureId: newPictureId(), imagesId: newImagesId(images) }
  const row = { tenantId, removeAt: nowMs + keptMs }
  await db.insert(unusedPictures).values(picturesOf(ids).map((pictureId) => ({ ...row, pictureId })))
  return ids
}

/** Marks a garment's pictures as unused where the condition holds. They stay for a day. */
export const markUnusedPictures = (tenantId: string, ids: PictureIds, condition: SQL, nowMs: number) => sql`
  INSERT OR IGNORE INTO ${unusedPictures} (picture_id, tenant_id, remove_at)
  SELECT value, ${tenantId}, ${nowMs + keptMs} FROM json_each(${JSON.stringify(picturesOf(ids))}) WHERE ${condition}`

/** Puts other pictures to use in place of the garment's. Stands in a batch before the statement that does so. */
export const exchangePictures = (
  db: Database,
  garment: ExpectedGarment & PictureIds,
  used: PictureIds,
  nowMs: number,
) =>
  [
    markUnusedPictures(garment.tenantId, garment, whenUnchanged(garment), nowMs),
    db
      .delete(unusedPictures)
      .where(
        and(
          eq(unusedPictures.tenantId, garment.tenantId),
          inValues(unusedPictures.pictureId, picturesOf(used)),
          whenUnchanged(garment),
        ),
      ),
  ] as const

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
  const keys = due.map(({ tenantId, pictureId }) => [tenantId, pictureId])
  await db.delete(unusedPictures).where(inRows(['tenant_id', 'picture_id'], keys))
  return due.length
}
