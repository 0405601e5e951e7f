import { eq } from 'drizzle-orm'
import { databaseNumberOf } from '../../db/databases/database-number.ts'
import { findDatabase } from '../../db/databases/find-database.ts'
import { tenantState } from '../../db/schema.ts'
import type { pictureKey } from '../annotated-picture.ts'

/** Both parts of a picture's address are generated ids. */
const idPattern = /^[\w-]{1,64}$/

/**
 * A tenant's picture, without its body if its ETag is `etag`; null if there is none, or if its tenant was deleted and
 * the picture is still to be removed.
 * @param keyOf its key in storage
 */
export async function findPicture(
  env: Pick<Env, 'DB' | 'PICTURES'>,
  tenantId: string,
  pictureId: string,
  { keyOf, etag }: { readonly keyOf: typeof pictureKey; readonly etag: string | undefined },
): Promise<R2Object | R2ObjectBody | null> {
  if (!idPattern.test(tenantId) || !idPattern.test(pictureId)) return null
  const db = findDatabase(env, databaseNumberOf(tenantId))
  if (db === null) return null
  const [tenant, picture] = await Promise.all([
    db.select({ id: tenantState.tenantId }).from(tenantState).where(eq(tenantState.tenantId, tenantId)),
    env.PICTURES.get(keyOf(tenantId, pictureId), etag === undefined ? {} : { onlyIf: { etagDoesNotMatch: etag } }),
  ])
  return tenant.length === 0 ? null : picture
}
