import { sql } from 'drizzle-orm'
import { tenantState, imports } from '../../db/schema.ts'
import { maxOpenImports } from './limits.ts'

type NewImport = Pick<typeof imports.$inferSelect, 'tenantId' | 'id' | 'name' | 'origin' | 'storedAt'>

/** Creates an import unless it exists. A single statement, so that two at once cannot exceed the limit. */
export const newImportStatement = ({ tenantId, id, name, origin, storedAt }: NewImport, nowMs: number) => sql`
  INSERT INTO ${imports} (tenant_id, id, name, origin, created_at, stored_at)
  SELECT ${tenantId}, ${id}, ${name}, ${origin}, ${nowMs}, ${storedAt}
  WHERE EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})
    AND (SELECT count(*) FROM ${imports} WHERE tenant_id = ${tenantId} AND ended_at IS NULL) < ${maxOpenImports}
  ON CONFLICT DO NOTHING
  RETURNING id`
