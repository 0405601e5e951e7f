import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { garments, waitingGarments } from '../../db/schema.ts'
import { tenantPicturesPrefix } from '../annotated-picture.ts'

/**
 * One step of removing everything of a deleted tenant: at most `limit` pictures and `limit` garments, of which `limit`
 * is at most 1,000 (R2's most for one call). Returns how many were removed.
 */
export async function purgeGarments(
  { db, pictures }: { readonly db: Database; readonly pictures: R2Bucket },
  tenantId: string,
  limit: number,
): Promise<number> {
  const { objects } = await pictures.list({ prefix: tenantPicturesPrefix(tenantId), limit })
  if (objects.length > 0) await pictures.delete(objects.map((object) => object.key))
  const some = db.select({ uuid: garments.uuid }).from(garments).where(eq(garments.tenantId, tenantId)).limit(limit)
  const [removed] = await db.batch([
    db.delete(garments).where(and(eq(garments.tenantId, tenantId), inArray(garments.uuid, some))),
    db.delete(waitingGarments).where(eq(waitingGarments.tenantId, tenantId)),
  ])
  return objects.length + removed.meta.changes
}
