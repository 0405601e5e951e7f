import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { unreferencedFiles } from '../../db/schema.ts'
import type { GarmentRow } from '../to-garment-response.ts'
import { uploadedFileId } from '../uploaded-file.ts'

/** In `since` of a file that the sweep is removing, after which nothing can keep it. */
export const beingRemoved = 0

/** Leaves the file of a failed garment to the sweep, because another upload brings its own. */
export function markUnreferenced(
  db: Database,
  { tenantId, imageUrl }: Pick<GarmentRow, 'tenantId' | 'imageUrl'>,
  condition: SQL,
  nowMs: number,
) {
  const id = uploadedFileId(imageUrl)
  if (id === null) return []
  const row = sql`SELECT ${tenantId}, ${id}, ${nowMs} WHERE ${condition}`
  return [db.insert(unreferencedFiles).select(row).onConflictDoNothing()]
}

/** Keeps the file of a failed garment that a person describes, unless the sweep has removed it. */
export function unmarkUnreferenced(
  { tenantId, imageUrl }: Pick<GarmentRow, 'tenantId' | 'imageUrl'>,
  condition: SQL,
): SQL {
  const id = uploadedFileId(imageUrl)
  return sql`
    DELETE FROM ${unreferencedFiles}
    WHERE tenant_id = ${tenantId} AND picture_id = ${id} AND since > ${beingRemoved} AND ${condition}`
}
