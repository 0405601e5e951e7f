import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { pauses } from '../db/schema.ts'

export type Pausable = 'tagging' | 'deliveries'

/** The tenant id for a pause of all tenants. */
export const everyTenant = ''

/**
 * Whether a tenant's work is paused. `tenantId` is an id or a column. The condition is part of the statement that
 * claims the work, so that it costs no round trip.
 */
export const isPaused = (what: Pausable, tenantId: string | SQLWrapper): SQL<number> =>
  sql<number>`EXISTS (
    SELECT 1 FROM ${pauses} AS pause WHERE pause.tenant_id IN (${everyTenant}, ${tenantId}) AND pause.${sql.identifier(what)} = 1
  )`
