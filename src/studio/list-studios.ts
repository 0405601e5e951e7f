import { asc, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { studios } from '../db/schema.ts'
import type { Studio } from './fields.ts'

/** All studios of a tenant, by name; there are at most 100. */
export async function listStudios(db: Database, tenantId: string): Promise<Studio[]> {
  return await db
    .select({ name: studios.name, cm_per_pixel: studios.cmPerPixel })
    .from(studios)
    .where(eq(studios.tenantId, tenantId))
    .orderBy(asc(studios.name))
}
