import { asc, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { studios } from '../db/schema.ts'
import type { Studio } from './fields.ts'

/** All studios of a tenant, by name; there are at most 100. */
export const listStudios = async (db: Database, tenantId: string): Promise<Studio[]> => await studiosQuery(db, tenantId)

/** The query itself, for pages that read it in one batch with others. */
export const studiosQuery = (db: Database, tenantId: string) =>
  db
    .select({ name: studios.name, cm_per_pixel: studios.cmPerPixel })
    .from(studios)
    .where(eq(studios.tenantId, tenantId))
    .orderBy(asc(studios.name))
