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
 *   null       set     waits for its next try, or is tagged again by the operator
 *   null       null    nothing to do
 *
 * A tenant has few turns. Whatever ends a turn starts the next ones, in the same batch, and sends their messages. A
 * garment that waits for its next try gives its turn away, so that a picture that cannot be fetched does not hold up
 * the tenant's other garments. If a message is lost, the sweep sends it again once `due_at` has passed.
 */

/** Ids only: everything else is read from the database when the garment is tagged. */
export const taggingMessage = z.object({
  tenantId: z.string(),
  uuid: z.string(),
  /** The garment's revision that the message is about. */
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

/** Garments that are to be tagged, by the two indexes that SQLite does not choose by itself. */
export const queuedGarments = sql`${garments} INDEXED BY garments_queued`
export const retriedGarments = sql`${garments} INDEXED BY garments_retries`

/** Whether a garment is to be tagged, for the first time or again. */
export const isToBeTagged = ({ queuedAt, dueAt }: Pick<typeof garments.$inferSelect, 'queuedAt' | 'dueAt'>) =>
  queuedAt !== null || dueAt !== null

/** When the sweep assumes that the message of a turn was lost, given the start of the turn. */
export const turnDueAt = (nowMs: SQLWrapper | number) => sql<number>`${nowMs} + ${queueGraceMs}`

/** The condition that a tenant, given by its id or a column that holds it, has a turn. */
export const tenantHasTurn = (tenantId: string | SQLWrapper) =>
  sql`EXISTS (SELECT 1 FROM ${queuedGarments} WHERE tenant_id = ${tenantId} AND ${hasTurn})`

/** Selects the uuids of the tenant's garments that are next in its backlog. */
export const nextInBacklog = (tenantId: string | SQLWrapper, limit: SQL) => sql`
  SELECT uuid FROM ${queuedGarments}
  WHERE tenant_id = ${tenantId} AND ${isInBacklog} ORDER BY queued_at, uuid LIMIT ${limit}`

/**
 * Starts the turns of the garments that are next in the tenant's backlog, until the tenant has `limit` turns. Returns
 * their messages. Stands in a batch after the statements that add to the backlog or end a turn.
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

/** The columns of a `TaggingMessage`. */
export const messageColumns = sql`tenant_id AS tenantId, uuid, revision`
