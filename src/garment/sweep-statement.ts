import { sql } from 'drizzle-orm'
import { garments } from '../db/schema.ts'
import { isPaused } from '../pause/is-paused.ts'

export interface SweptGarment {
  readonly tenantId: string
  readonly uuid: string
  readonly pictureId: string
}

export interface SweepRange {
  /** Visits the tenants whose ids are at or after `from` and before `to`, in the order of their ids. */
  readonly from: string
  readonly to: string
  readonly maxTenants: number
  readonly maxPerTenant: number
}

const minPauseMs = 60_000
const maxPauseMs = 60 * 60_000

/**
 * Puts overdue garments back into the state `queuing`, the oldest of each tenant first, and takes them away from runs
 * whose lease is over. A garment waits longer for each next sweep (half its age, at most an hour), so that a long
 * backlog is not enqueued many times.
 *
 * The statement jumps from tenant to tenant along the index, for which the query builder has no recursion.
 */
export const sweepStatement = ({ from, to, maxTenants, maxPerTenant }: SweepRange, nowMs: number) => sql`
  WITH RECURSIVE active(tenant) AS (
    SELECT min(tenant_id) FROM ${garments} WHERE due_at IS NOT NULL AND tenant_id >= ${from} AND tenant_id < ${to}
    UNION ALL
    SELECT (
      SELECT min(tenant_id) FROM ${garments}
      WHERE due_at IS NOT NULL AND tenant_id > active.tenant AND tenant_id < ${to}
    )
    FROM active WHERE active.tenant IS NOT NULL
    LIMIT ${maxTenants}
  )
  UPDATE ${garments}
  SET status = iif(ended_at IS NULL, 'queuing', status), claim_id = NULL, lease_until = NULL,
    due_at = ${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, (${nowMs} - created_at) / 2))
  WHERE (tenant_id, uuid) IN (
    SELECT tenant, found.uuid FROM active CROSS JOIN ${garments} AS found
    WHERE NOT ${isPaused('tagging', sql`tenant`)} AND found.tenant_id = tenant AND found.uuid IN (
      SELECT due.uuid FROM ${garments} AS due
      WHERE due.tenant_id = tenant AND due.due_at <= ${nowMs} AND coalesce(due.lease_until, 0) <= ${nowMs}
      ORDER BY due.due_at LIMIT ${maxPerTenant}
    )
  )
  RETURNING tenant_id AS tenantId, uuid, picture_id AS pictureId`
