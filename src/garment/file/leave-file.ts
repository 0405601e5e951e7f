import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { garments, looseFiles } from '../../db/schema.ts'
import type { GarmentRow } from '../to-garment-response.ts'
import { uploadedFileId } from '../uploaded-file.ts'

/** Leaves the file of a failed garment to the sweep, because another upload brings its own. Safe to repeat. */
export async function leaveFile(
  db: Database,
  { tenantId, uuid, imageUrl }: Pick<GarmentRow, 'tenantId' | 'uuid' | 'imageUrl'>,
  nowMs: number,
): Promise<void> {
  const id = uploadedFileId(imageUrl)
  if (id === null) return
  await db.run(sql`
    INSERT OR IGNORE INTO ${looseFiles} (tenant_id, picture_id, since)
    SELECT tenant_id, ${id}, ${nowMs} FROM ${garments}
    WHERE tenant_id = ${tenantId} AND uuid = ${uuid} AND image_url = ${imageUrl} AND status = 'failed'`)
}

/** Keeps the file of a failed garment that a person describes, unless the sweep has removed it. */
export function keepFile({ tenantId, imageUrl }: Pick<GarmentRow, 'tenantId' | 'imageUrl'>, condition: SQL): SQL {
  const id = uploadedFileId(imageUrl)
  return sql`DELETE FROM ${looseFiles} WHERE tenant_id = ${tenantId} AND picture_id = ${id} AND ${condition}`
}
