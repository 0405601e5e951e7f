import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { garments, tenantCounters } from '../../db/schema.ts'
import { tenantPicturesPrefix } from '../annotated-picture.ts'
import { deleteBelow } from '../picture/delete-pictures.ts'

/**
 * One step of removing everything of a deleted tenant: at most `limit` pictures and `limit` garments. Returns how many
 * were removed.
 */
export async function purgeGarments(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  tenantId: string,
  limit: number,
): Promise<number> {
  const deleted = await deleteBelow(pictures, tenantPicturesPrefix(tenantId), limit)
  const some = db.select({ uuid: garments.uuid }).from(garments).where(eq(garments.tenantId, tenantId)).limit(limit)
  const [removed] = await db.batch([
    db.delete(garments).where(and(eq(garments.tenantId, tenantId), inArray(garments.uuid, some))),
    db.delete(tenantCounters).where(eq(tenantCounters.tenantId, tenantId)),
  ])
  return deleted + removed.meta.changes
}
