import { z } from 'zod'
import { and, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { garments, tenantCounters } from '../platform/db/schema.ts'
import { enqueueAll, queueGraceMs } from '../platform/queue/enqueue.ts'
import { requestIdOfMessage } from '../platform/queue/settle.ts'

/** Ids only: everything else is read from the database when the garment is tagged. */
export const taggingMessage = z.object({
  tenantId: z.string(),
  uuid: z.string(),
  /** The upload that the message is about. */
  pictureId: z.string(),
  requestId: requestIdOfMessage,
})

export type TaggingMessage = z.infer<typeof taggingMessage>

/** The turns that uploads open. A tenant's other garments wait in its backlog. */
export const uploadTurns = 1

/** How long a message waited in the queue, and how many turns a tenant may have then. */
const turnLimits = [
  { belowMs: 3000, turns: 32 },
  { belowMs: 6000, turns: 8 },
  { belowMs: 20_000, turns: 4 },
  { belowMs: 60_000, turns: 2 },
]

/**
 * The turns of a tenant when one of its garments ends, whose message waited for `waitedMs`. With many tenants in the
 * queue each has one, so that a new one is served after one garment of each; a tenant alone keeps all consumers busy.
 */
export const turnLimit = (waitedMs: number | undefined) =>
  waitedMs === undefined ? uploadTurns : (turnLimits.find(({ belowMs }) => waitedMs < belowMs)?.turns ?? 1)

/**
 * How the garments of a tenant take turns, so that its backlog costs one message a garment and delays no other tenant.
 *
 * Uploads wait in their tenant's backlog: `due_at` is the time of the upload after `backlogStart`, so that the index of
 * what is active has them in their order. Only the first few have a turn, which means a message in the queue or a run.
 * The turns are a list in the tenant's row of `tenant_counters`, which an upload and an ending write anyway. Whatever
 * ends a garment gives its turn to the next one in the backlog, in the same statement; then the message is sent. The
 * sweep sends again what was lost.
 *
 * A garment that waits for its next try gives its turn away: it has a `due_at` of its own, by which the sweep finds it
 * if the message of that try is lost. So a picture that cannot be fetched holds up none of its tenant's others.
 *
 * Garments that are tagged again after a correction wait in the same backlog: those that a person corrects before all
 * others, those that a file changes after the uploads that were there before it.
 */

/** In `due_at`, from here on is a place in the backlog. Before, it is a time. */
export const backlogStart = 10_000_000_000_000

/** How many turns begin when one ends: a tenant's share grows step by step. */
const maxNew = 2

/** What has begun a turn, by which it finds the turn's message to send: an upload or ending by its picture id. */
export const turnBatchId = (nowMs: number) => String(nowMs)

/**
 * A turn that begins now: uuid, picture id, what has begun it, and when the sweep assumes that its message was lost.
 */
export const newTurn = (
  uuid: SQLWrapper,
  pictureId: SQLWrapper,
  { by, nowMs }: { readonly by: SQLWrapper | string; readonly nowMs: SQLWrapper | number },
) => sql`json_array(${uuid}, ${pictureId}, ${by}, ${nowMs} + ${queueGraceMs})`

interface Refill {
  /** The id, or a column that holds it. */
  readonly tenantId: string | SQLWrapper
  /** A select of the turns that stay, as text of JSON in the column `turn`. */
  readonly kept: SQL
  /** Ends now, and is still in the backlog. */
  readonly endingUuid?: string
  readonly by: string
  /** Turns in all. */
  readonly limit: number
}

/** The list of turns that stay, and up to `limit` in all, of the garments that are next in the backlog. */
export function refillTurns({ tenantId, kept, endingUuid = '', by, limit }: Refill, nowMs: number): SQL<string> {
  const next = sql`
    SELECT ${newTurn(sql`uuid`, sql`picture_id`, { by, nowMs })} AS turn, due_at
    FROM ${garments} INDEXED BY garments_active
    WHERE tenant_id = ${tenantId} AND due_at IS NOT NULL AND due_at >= ${backlogStart} AND uuid <> ${endingUuid}
      AND uuid NOT IN (SELECT value ->> 0 FROM json_each(${tenantCounters}.turns))
    ORDER BY due_at, uuid LIMIT ${Math.min(limit, maxNew)}`
  return sql<string>`(
    SELECT json_group_array(json(turn)) FROM (
      SELECT turn, due_at, row_number() OVER (ORDER BY due_at) AS place FROM (
        SELECT turn, 0 AS due_at FROM (${kept}) UNION ALL SELECT * FROM (${next})
      )
    ) WHERE due_at = 0 OR place <= ${limit}
  )`
}

interface Passing {
  readonly tenantId: string
  readonly uuid: string
  readonly pictureId: string
  /** What begins the next turn; the picture's id if absent. */
  readonly by?: string
}

/** The list without the turn of a garment that ends or waits for its next try, and with the next of its tenant. */
export const passTurn = ({ tenantId, uuid, pictureId, by = pictureId }: Passing, limit: number, nowMs: number) =>
  refillTurns(
    {
      tenantId,
      kept: turnsWithout(pictureId),
      endingUuid: uuid,
      by,
      limit,
    },
    nowMs,
  )

const turnsWithout = (pictureId: string) =>
  sql`SELECT value AS turn FROM json_each(${tenantCounters}.turns) WHERE value ->> 1 <> ${pictureId}`

/** Stores a tenant's list, and returns it, if `condition` holds. */
export const setTurns = (db: Database, turns: SQL<string>, tenantId: string, condition: SQL) =>
  db
    .update(tenantCounters)
    .set({ turns })
    .where(and(eq(tenantCounters.tenantId, tenantId), condition))
    .returning({ turns: tenantCounters.turns })

/**
 * Takes the turn of a garment that is put into the backlog again, whose run has lost its claim, and gives turns to the
 * next of the backlog, of which it may be the first. Returns the list.
 */
export const returnTurnStatement = (
  { tenantId, pictureId }: Pick<Passing, 'tenantId' | 'pictureId'>,
  nowMs: number,
) => {
  const turns = { tenantId, kept: turnsWithout(pictureId), by: turnBatchId(nowMs), limit: uploadTurns }
  return sql<{ turns: string }>`
    UPDATE ${tenantCounters} SET turns = ${refillTurns(turns, nowMs)} WHERE tenant_id = ${tenantId} RETURNING turns`
}

/** Gives turns to the next garments of the backlog, where there are fewer than uploads open. Returns the list. */
export const openTurnsStatement = (tenantId: string, nowMs: number) => sql<{ turns: string }>`
  UPDATE ${tenantCounters}
  SET turns = ${refillTurns(
    {
      tenantId,
      kept: sql`SELECT value AS turn FROM json_each(${tenantCounters}.turns)`,
      by: turnBatchId(nowMs),
      limit: uploadTurns,
    },
    nowMs,
  )}
  WHERE tenant_id = ${tenantId} AND json_array_length(turns) < ${uploadTurns}
  RETURNING turns`

const turnsSchema = z.array(z.tuple([z.string(), z.string(), z.string(), z.number()]))

/** Enqueues the turns that were begun by `by`, of the list that a statement returned in its row, if any. */
export const enqueueTurns = async (
  queue: Queue<TaggingMessage>,
  tenantId: string,
  [row]: readonly { readonly turns: string }[] = [],
  by: string,
) => await enqueueAll(queue, messagesOfTurns(tenantId, row?.turns, by))

/** The messages of the turns in a list of `tenant_counters` that were begun by `by`. */
export function messagesOfTurns(tenantId: string, turns: string | undefined, by: string): TaggingMessage[] {
  return turnsSchema
    .parse(JSON.parse(turns ?? '[]'))
    .filter(([, , begun]) => begun === by)
    .map(([uuid, pictureId]) => ({ tenantId, uuid, pictureId }))
}
