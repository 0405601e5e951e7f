import { z } from 'zod'
import { and, count, eq, gt, inArray, isNotNull, isNull, lte, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type Database, hasRow } from '../platform/db/database.ts'
import { garments } from '../platform/db/schema.ts'
import { type LostBefore, queueGraceMs } from '../platform/queue/enqueue.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { requestIdOfMessage } from '../platform/queue/settle.ts'
import { minuteMs } from '../time.ts'

/**
 * How a tenant's garments wait, so that a backlog costs one queue message per garment and delays no other tenant.
 *
 *   queued_at  due_at
 *   set        null    in the tenant's backlog, oldest `queued_at` first
 *   set        set     has a turn: a message in the tagging queue, or a run
 *   null       set     waits for its next try, or is tagged again
 *   null       null    nothing to do
 *
 * A tenant has few turns. Whatever ends a turn starts the next turns in the same batch and sends their messages. A
 * garment that waits for its next try loses its turn, so that one missing picture does not block the others. The sweep
 * sends a lost message again once `due_at` has passed.
 */

/** Contains ids only. Tagging reads everything else from the database. */
export const taggingMessage = z.object({
  tenantId: z.string(),
  uuid: z.string(),
  revision: z.string(),
  requestId: requestIdOfMessage,
})

export type TaggingMessage = z.infer<typeof taggingMessage>

/** Turns that a tenant has if nothing is known about the queue's load. */
export const minTurns = 1

/** Maps how long a message waited in the queue to how many turns its tenant may have. */
const turnLimits = [
  { belowMs: 3000, turns: 32 },
  { belowMs: 6000, turns: 8 },
  { belowMs: 20_000, turns: 4 },
  { belowMs: 60_000, turns: 2 },
]

/** Returns how many turns a tenant may have, by how long its message waited. A lone tenant keeps all consumers busy. */
export const turnLimit = (waitedMs: number | undefined) =>
  waitedMs === undefined ? minTurns : (turnLimits.find(({ belowMs }) => waitedMs < belowMs)?.turns ?? minTurns)

/** Turns that start when one ends. Limits how fast a tenant's share of the queue grows. */
const maxStarted = 2

export const isInBacklog = and(isNotNull(garments.queuedAt), isNull(garments.dueAt))
export const hasTurn = and(isNotNull(garments.queuedAt), isNotNull(garments.dueAt))
export const waitsForRetry = and(isNull(garments.queuedAt), isNotNull(garments.dueAt))
export const isActive = or(isNotNull(garments.queuedAt), isNotNull(garments.dueAt))

/** Garments to be tagged. SQLite does not choose these two indexes by itself. */
export const queuedGarments = sql`${garments} INDEXED BY garments_queued`
export const retriedGarments = sql`${garments} INDEXED BY garments_retries`

export const isToBeTagged = ({ queuedAt, dueAt }: Pick<typeof garments.$inferSelect, 'queuedAt' | 'dueAt'>) =>
  queuedAt !== null || dueAt !== null

/** Returns when the sweep assumes that a turn's message was lost. */
export const turnDueAt = (nowMs: number) => nowMs + queueGraceMs

/** `tenantId` is an id or a column. */
export const tenantHasTurn = (tenantId: string | SQLWrapper) =>
  hasRow(queuedGarments, and(eq(garments.tenantId, tenantId), hasTurn))

const nextInBacklog = (tenantId: string | SQLWrapper, limit: SQL | number) => sql`(
  SELECT uuid FROM ${queuedGarments}
  WHERE tenant_id = ${tenantId} AND ${isInBacklog} ORDER BY queued_at, uuid LIMIT ${limit})`

const messageColumns = { tenantId: garments.tenantId, uuid: garments.uuid, revision: garments.revision }

/** Starts turns until the tenant has `limit` turns. Must follow statements that add to the backlog or end a turn. */
export function startTurns(db: Database, tenantId: string, limit: number, nowMs: number) {
  const isTenants = eq(garments.tenantId, tenantId)
  const turns = db.select({ count: count() }).from(queuedGarments).where(and(isTenants, hasTurn))
  const started = nextInBacklog(tenantId, sql`max(0, min(${maxStarted}, ${limit} - ${turns}))`)
  return db
    .update(garments)
    .set({ dueAt: turnDueAt(nowMs) })
    .where(and(isTenants, inArray(garments.uuid, started)))
    .returning(messageColumns)
}

export interface SweepTimes extends LostBefore {
  readonly nowMs: number
}

export interface TenantRange {
  /** Tenants whose ids are after `after` and at most `to`, in the order of their ids. */
  readonly after: string
  readonly to: string
  readonly maxTenants: number
}

export interface OverdueTenant {
  readonly tenantId: string
  /** 1 if the tenant has garments whose message or run was lost. */
  readonly isOverdue: number
  /** 1 if the tenant has a backlog but no turn. */
  readonly lacksTurn: number
}

/**
 * Finds tenants with overdue garments, or with a backlog but no turn. The last row is the last tenant that was
 * visited, with both flags 0. Jumps from tenant to tenant along two indexes.
 */
export function findOverdue({ after, to, maxTenants }: TenantRange, { overdueMs }: SweepTimes) {
  const firstIn = (table: SQL, state: SQL | undefined, from: SQL | string) => sql`
    SELECT min(tenant_id) AS tenant_id FROM ${table}
    WHERE ${and(state, gt(garments.tenantId, from), lte(garments.tenantId, to))}`
  const nextTenant = (from: SQL | string) => sql`(
    SELECT min(tenant_id) FROM (
      ${firstIn(queuedGarments, isNotNull(garments.queuedAt), from)}
      UNION ALL ${firstIn(retriedGarments, waitsForRetry, from)}))`
  const tenant = sql`tenant`
  const isTenants = eq(garments.tenantId, tenant)
  const isDue = lte(garments.dueAt, overdueMs)
  const isOverdue = or(
    hasRow(queuedGarments, and(isTenants, isNotNull(garments.queuedAt), isDue)),
    hasRow(retriedGarments, and(isTenants, isNull(garments.queuedAt), isDue)),
  )
  return sql`
    WITH RECURSIVE active(tenant) AS (
      SELECT ${nextTenant(after)}
      UNION ALL SELECT ${nextTenant(sql`active.tenant`)} FROM active WHERE active.tenant IS NOT NULL
      LIMIT ${maxTenants}
    ),
    overdue AS (
      SELECT tenant, ${isOverdue} AS is_overdue,
        ${hasRow(queuedGarments, and(isTenants, isInBacklog))} AND NOT ${tenantHasTurn(tenant)} AS lacks_turn
      FROM active WHERE tenant IS NOT NULL
    )
    SELECT tenant AS tenantId, is_overdue AS isOverdue, lacks_turn AS lacksTurn FROM overdue
    WHERE (is_overdue OR lacks_turn) AND NOT ${isPaused('tagging', tenant)}
    UNION ALL SELECT max(tenant), 0, 0 FROM active HAVING max(tenant) IS NOT NULL`
}

const minPauseMs = minuteMs

/** Returns when the sweep enqueues a garment again: after half its age, so that old garments are enqueued rarely. */
const nextSweep = ({ nowMs, maxPauseMs }: SweepTimes) =>
  sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, (${nowMs} - created_at) / 2))`

/** A tenant's id in the JSON list that the two statements below read. */
const listedTenant = sql`tenant.value`

/** Makes the `share` garments of each tenant that are overdue longest queue again. Ends claims whose lease is over. */
export function requeueDue(db: Database, tenantIds: readonly string[], share: number, times: SweepTimes) {
  const isOverdue = and(
    eq(garments.tenantId, listedTenant),
    lte(garments.dueAt, times.overdueMs),
    or(isNull(garments.leaseUntil), lte(garments.leaseUntil, times.nowMs)),
  )
  const overdueIn = (table: SQL, state: SQL) => sql`SELECT * FROM (
    SELECT uuid, due_at FROM ${table} WHERE ${and(state, isOverdue)} ORDER BY due_at LIMIT ${share})`
  return db
    .update(garments)
    .set({
      status: sql`iif(ended_at IS NULL, 'queuing', status)`,
      claimId: null,
      leaseUntil: null,
      dueAt: nextSweep(times),
    })
    .where(
      sql`(tenant_id, uuid) IN (
        SELECT found.tenant_id, found.uuid
        FROM json_each(${JSON.stringify(tenantIds)}) AS tenant CROSS JOIN ${garments} AS found
        WHERE found.tenant_id = ${listedTenant} AND found.uuid IN (
          SELECT uuid FROM (
            ${overdueIn(queuedGarments, isNotNull(garments.queuedAt))}
            UNION ALL ${overdueIn(retriedGarments, isNull(garments.queuedAt))}
          ) ORDER BY due_at LIMIT ${share}
        )
      )`,
    )
    .returning(messageColumns)
}

export const startLackingTurns = (db: Database, tenantIds: readonly string[], nowMs: number) =>
  db
    .update(garments)
    .set({ dueAt: turnDueAt(nowMs) })
    .where(
      sql`(tenant_id, uuid) IN (
        SELECT tenant.value, ${nextInBacklog(listedTenant, 1)}
        FROM json_each(${JSON.stringify(tenantIds)}) AS tenant WHERE NOT ${tenantHasTurn(listedTenant)}
      )`,
    )
    .returning(messageColumns)
