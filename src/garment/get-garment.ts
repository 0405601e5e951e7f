import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'

/** Another tenant's garment answers not found, like one that does not exist. */
export async function getGarment(db: Database, tenantId: string, uuid: string) {
  const [row] = await db
    .select()
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  if (row === undefined) throw new ApiError(404, 'Garment not found', ['uuid: no garment was uploaded with this uuid'])
  return row
}
