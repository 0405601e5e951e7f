import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { prepareOnce } from '../db/prepare-once.ts'
import { garments } from '../db/schema.ts'
import { garmentNotFound } from './errors/garment-errors.ts'

const garmentQuery = prepareOnce((db) =>
  db
    .select()
    .from(garments)
    .where(and(eq(garments.tenantId, sql.placeholder('tenantId')), eq(garments.uuid, sql.placeholder('uuid'))))
    .prepare(),
)

/** Another tenant's garment answers not found, like one that does not exist. */
export async function getGarment(db: Database, tenantId: string, uuid: string) {
  const row = await garmentQuery(db).get({ tenantId, uuid })
  if (row === undefined) throw garmentNotFound()
  return row
}
