import { sql } from 'drizzle-orm'
import { garments, tenantCounters } from '../../db/schema.ts'
import { isPaused } from '../../pause/is-paused.ts'
import type { LostBefore } from '../../queue/lost-before.ts'
import { minuteMs } from '../../time.ts'
import { uploadTurns } from '../turns/turn-limit.ts'
import { begunBy, backlogStart, refillTurns } from '../turns/turns.ts'

export interface SweepTimes extends LostBefore {
  readonly nowMs: number
}

export interface TenantRange {
  /** Of the tenants whose ids are after `after` and at most `to`, in the order of their ids. */
  readonly after: string
  readonly to: string
  readonly maxTenants: number
}

export interface OverdueTenant {
  /** The last tenant that was visited, in the row in which neither holds. */
  readonly tenantId: string
  /** Whether it has garments that are due. */
  readonly isDue: number
  /** Whether it has turns whose message or run was lost. */
  readonly hasLostTurn: number
}

/**
 * Finds the tenants with overdue garments, and last the tenant at which it stopped; no row if there was none. It jumps
 * from tenant to tenant along the index, for which the query builder has no recursion.
 */
export const findOverdue = ({ after, to, maxTenants }: TenantRange, { overdueMs }: SweepTimes) => sql`
  WITH RECURSIVE active(tenant) AS (
    SELECT min(tenant_id) FROM ${garments} WHERE due_at IS NOT NULL AND tenant_id > ${after} AND tenant_id <= ${to}
    UNION ALL
    SELECT (
      SELECT min(tenant_id) FROM ${garments}
      WHERE due_at IS NOT NULL AND tenant_id > active.tenant AND tenant_id <= ${to}
    )
    FROM active WHERE active.tenant IS NOT NULL
    LIMIT ${maxTenants}
  ),
  overdue AS (
    SELECT tenant,
      EXISTS (SELECT 1 FROM ${garments} WHERE tenant_id = tenant AND due_at <= ${overdueMs}) AS is_due,
      coalesce((
        SELECT EXISTS (SELECT 1 FROM json_each(turns) AS turn WHERE turn.value ->> 3 <= ${overdueMs})
          OR (turns = '[]' AND EXISTS (SELECT 1 FROM ${garments} WHERE tenant_id = tenant AND due_at >= ${backlogStart}))
        FROM ${tenantCounters} WHERE tenant_id = tenant
      ), 0) AS has_lost_turn
    FROM active WHERE tenant IS NOT NULL
  )
  SELECT tenant AS tenantId, is_due AS isDue, has_lost_turn AS hasLostTurn FROM overdue
  WHERE (is_due OR has_lost_turn) AND NOT ${isPaused('tagging', sql`tenant`)}
  UNION ALL SELECT max(tenant), 0, 0 FROM active HAVING max(tenant) IS NOT NULL`

const minPauseMs = minuteMs

/** A garment waits longer for each next sweep: half its age, so that none is enqueued over and over. */
const nextSweep = ({ nowMs, maxPauseMs }: SweepTimes) =>
  sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, (${nowMs} - created_at) / 2))`

/**
 * Puts the garments of these tenants that are due back into the state `queuing`, of each the `share` that is overdue
 * longest, and takes them away from runs whose lease is over.
 */
export const requeueDue = (tenantIds: readonly string[], share: number, times: SweepTimes) => sql`
  UPDATE ${garments}
  SET status = iif(ended_at IS NULL, 'queuing', status), claim_id = NULL, lease_until = NULL, due_at = ${nextSweep(times)}
  WHERE (tenant_id, uuid) IN (
    SELECT found.tenant_id, found.uuid FROM json_each(${JSON.stringify(tenantIds)}) AS tenant CROSS JOIN ${garments} AS found
    WHERE found.tenant_id = tenant.value AND found.uuid IN (
      SELECT due.uuid FROM ${garments} AS due
      WHERE due.tenant_id = tenant.value AND due.due_at <= ${times.overdueMs} AND coalesce(due.lease_until, 0) <= ${times.nowMs}
      ORDER BY due.due_at LIMIT ${share}
    )
  )
  RETURNING tenant_id AS tenantId, uuid, picture_id AS pictureId`

/**
 * Renews the turns of these tenants: those whose message or run was lost begin again, those of garments that have ended
 * go to the next in the backlog. The last statement returns each tenant's list.
 */
export function renewTurns(tenantIds: readonly string[], times: SweepTimes) {
  const { nowMs, overdueMs } = times
  const tenants = sql`json_each(${JSON.stringify(tenantIds)})`
  const by = begunBy(nowMs)
  const isLost = sql`turn.value ->> 3 <= ${overdueMs}`
  const kept = sql`
    SELECT CASE
      WHEN ${isLost} AND due_at >= ${backlogStart} AND coalesce(lease_until, 0) <= ${nowMs}
      THEN json_array(uuid, picture_id, ${by}, ${nextSweep(times)}) ELSE turn.value
    END AS turn
    FROM json_each(${tenantCounters}.turns) AS turn CROSS JOIN ${garments} AS held
    WHERE held.tenant_id = ${tenantCounters}.tenant_id AND held.uuid = turn.value ->> 0
      AND held.picture_id = turn.value ->> 1 AND held.due_at IS NOT NULL`
  return [
    sql`
      UPDATE ${garments} SET status = iif(ended_at IS NULL, 'queuing', status), claim_id = NULL, lease_until = NULL
      WHERE (tenant_id, uuid) IN (
        SELECT waiting.tenant_id, turn.value ->> 0
        FROM ${tenants} AS tenant CROSS JOIN ${tenantCounters} AS waiting CROSS JOIN json_each(waiting.turns) AS turn
        WHERE waiting.tenant_id = tenant.value AND ${isLost}
      ) AND claim_id IS NOT NULL AND lease_until <= ${nowMs} AND due_at >= ${backlogStart}`,
    sql`
      UPDATE ${tenantCounters}
      SET turns = ${refillTurns({ tenantId: sql`${tenantCounters}.tenant_id`, kept, by, limit: uploadTurns }, nowMs)}
      WHERE tenant_id IN (SELECT value FROM ${tenants})
      RETURNING tenant_id AS tenantId, turns`,
  ]
}
