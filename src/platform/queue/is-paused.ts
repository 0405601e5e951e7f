import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { pauses } from '../db/schema.ts'

export type Pausable = 'tagging' | 'deliveries'

/** The tenant id under which a pause of all tenants is stored. */
export const everyTenant = ''

/**
 * The condition that work of a tenant, given by its id or a column that holds it, is paused. It stands in the statement
 * that reads or claims the work, so that a pause costs no round trip of its own.
 */
export const isPaused = (what: Pausable, tenantId: string | SQLWrapper): SQL<number> =>
  sql<number>`EXISTS (
    SELECT 1 FROM ${pauses} AS pause WHERE pause.tenant_id IN (${everyTenant}, ${tenantId}) AND pause.${sql.identifier(what)} = 1
  )`
