import { z } from 'zod'
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { garments } from '../platform/db/schema.ts'
import { queueGraceMs } from '../platform/queue/enqueue.ts'
import { requestIdOfMessage } from '../platform/queue/settle.ts'

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

/**
 * Returns how many turns a tenant may have, given how long its garment's message waited. If many tenants are in the
 * queue, each has one turn. A tenant that is alone keeps all consumers busy.
 */
export const turnLimit = (waitedMs: number | undefined) =>
  waitedMs === undefined ? minTurns : (turnLimits.find(({ belowMs }) => waitedMs < belowMs)?.turns ?? minTurns)

/** Turns that start when one ends. Limits how fast a tenant's share of the queue grows. */
const maxStarted = 2

export const isInBacklog = sql`queued_at IS NOT NULL AND due_at IS NULL`
export const hasTurn = sql`queued_at IS NOT NULL AND due_at IS NOT NULL`
export const waitsForRetry = sql`queued_at IS NULL AND due_at IS NOT NULL`
export const isActive = sql`(${garments.queuedAt} IS NOT NULL OR ${garments.dueAt} IS NOT NULL)`

/** Garments to be tagged. SQLite does not choose these two indexes by itself. */
export const queuedGarments = sql`${garments} INDEXED BY garments_queued`
export const retriedGarments = sql`${garments} INDEXED BY garments_retries`

export const isToBeTagged = ({ queuedAt, dueAt }: Pick<typeof garments.$inferSelect, 'queuedAt' | 'dueAt'>) =>
  queuedAt !== null || dueAt !== null

/** Returns when the sweep assumes that a turn's message was lost. */
export const turnDueAt = (nowMs: SQLWrapper | number) => sql<number>`${nowMs} + ${queueGraceMs}`

/** Returns the condition that a tenant has a turn. `tenantId` is an id or a column. */
export const tenantHasTurn = (tenantId: string | SQLWrapper) =>
  sql`EXISTS (SELECT 1 FROM ${queuedGarments} WHERE tenant_id = ${tenantId} AND ${hasTurn})`

/** Selects the next uuids in a tenant's backlog. */
export const nextInBacklog = (tenantId: string | SQLWrapper, limit: SQL) => sql`
  SELECT uuid FROM ${queuedGarments}
  WHERE tenant_id = ${tenantId} AND ${isInBacklog} ORDER BY queued_at, uuid LIMIT ${limit}`

/**
 * Starts turns from the tenant's backlog until the tenant has `limit` turns. Returns their messages. Must follow the
 * statements that add to the backlog or end a turn.
 */
export function startTurns(tenantId: string, limit: number, nowMs: number): SQL<TaggingMessage> {
  const turns = sql`
    SELECT count(*) FROM ${queuedGarments} WHERE tenant_id = ${tenantId} AND ${hasTurn}`
  return sql<TaggingMessage>`
    UPDATE ${garments} SET due_at = ${turnDueAt(nowMs)}
    WHERE tenant_id = ${tenantId} AND uuid IN (
      ${nextInBacklog(tenantId, sql`max(0, min(${maxStarted}, ${limit} - (${turns})))`)})
    RETURNING ${messageColumns}`
}

export const messageColumns = sql`tenant_id AS tenantId, uuid, revision`
