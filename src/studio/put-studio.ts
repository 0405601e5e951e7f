import { sql } from 'drizzle-orm'
import { recordEntry, type Made } from '../audit/record-entry.ts'
import { batchRaw } from '../db/batch-raw.ts'
import type { Database } from '../db/client.ts'
import { tenantState, studios } from '../db/schema.ts'
import { tooManyStudios } from './errors.ts'
import { maxStudios, type Studio } from './fields.ts'

/** Creates a studio or changes its scale. Throws 409 if the tenant already has 100. */
export async function putStudio(db: Database, tenantId: string, studio: Studio, made: Made): Promise<void> {
  // A single statement, so that two requests at once cannot exceed the limit, and no studio is stored for a deleted
  // tenant.
  const put = sql`
    INSERT INTO ${studios} (tenant_id, name, cm_per_pixel)
    SELECT ${tenantId}, ${studio.name}, ${studio.cm_per_pixel}
    WHERE EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})
      AND ((SELECT count(*) FROM ${studios} WHERE tenant_id = ${tenantId}) < ${maxStudios}
        OR EXISTS (SELECT 1 FROM ${studios} WHERE tenant_id = ${tenantId} AND name = ${studio.name}))
    ON CONFLICT (tenant_id, name) DO UPDATE SET cm_per_pixel = excluded.cm_per_pixel
    RETURNING name`
  const subject = `${studio.name}: ${studio.cm_per_pixel} cm per pixel`
  const entry = recordEntry(db, { holderId: tenantId, action: 'studio.saved', subject }, made)
  const [stored] = await batchRaw(db, [put, ...entry.map((statement) => statement.getSQL())])
  if (stored?.results.length === 0) throw tooManyStudios()
}
