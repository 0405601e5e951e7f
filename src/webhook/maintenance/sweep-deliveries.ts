import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { deliveries } from '../../db/schema.ts'
import { isPaused } from '../../pause/is-paused.ts'
import { nextMessage, type DeliveryMessage } from '../delivery/message.ts'

/** `sendBatch` takes at most 100 messages. */
const stepSize = 100

/** Bounds a sweep to 6,000 deliveries and 62 queries. */
const defaultMaxSteps = 60

/** Receivers that one query finds, at two index look-ups each. */
const maxReceivers = 1000

/**
 * Enqueues deliveries whose message, dispatcher or process was lost. Receivers, that is endpoints of tenants, take
 * turns, so that the backlog of one does not delay another's. Returns how many deliveries were enqueued. `startAfter`
 * is the tenant id to begin after: random, so that with more than `maxReceivers` none is always among the last.
 */
export async function sweepDeliveries(
  { db, queue }: { readonly db: Database; readonly queue: Queue<DeliveryMessage> },
  nowMs: number,
  { startAfter = newId(), maxSteps = defaultMaxSteps } = {},
): Promise<number> {
  const after = await findReceiversWithDue(db, startAfter, nowMs)
  const before = await findReceiversWithDue(db, '', nowMs)
  let receivers = [...new Set([...after, ...before])]
  let count = 0
  for (let step = 0; step < maxSteps && receivers.length > 0; step++) {
    const served = receivers.slice(0, stepSize)
    const share = Math.floor(stepSize / served.length)
    // State first, then the queue: if the queue fails, the next sweep takes them again.
    const taken = await postponeDueDeliveries(db, served, share, nowMs)
    if (taken.length > 0) await queue.sendBatch(taken.map((row) => ({ body: nextMessage(row) })))
    count += taken.length
    const hasMore = served.filter((each) => taken.filter((row) => nameOf(row) === each).length === share)
    receivers = [...receivers.slice(stepSize), ...hasMore]
  }
  return count
}

/** A receiver as the database has it in JSON. */
const nameOf = ({ tenantId, endpoint }: { readonly tenantId: string; readonly endpoint: string }) =>
  JSON.stringify([tenantId, endpoint])

/** The receivers with overdue deliveries, in the order of their tenants. Skips from one to the next in the index. */
async function findReceiversWithDue(db: Database, startAfter: string, nowMs: number): Promise<string[]> {
  const nextAfter = (tenantId: unknown, endpoint: unknown) => sql`(
    SELECT json_array(tenant_id, endpoint) FROM ${deliveries} INDEXED BY deliveries_due
    WHERE due_at IS NOT NULL AND (tenant_id, endpoint) > (${tenantId}, ${endpoint}) ORDER BY tenant_id, endpoint LIMIT 1
  )`
  // The query builder has no recursive queries.
  const rows = await db.all<{ receiver: string }>(sql`
    WITH RECURSIVE waiting (receiver) AS (
      SELECT ${nextAfter(startAfter, '')}
      UNION ALL SELECT ${nextAfter(sql`waiting.receiver ->> 0`, sql`waiting.receiver ->> 1`)}
      FROM waiting WHERE waiting.receiver IS NOT NULL
      LIMIT ${maxReceivers}
    )
    SELECT receiver FROM waiting WHERE EXISTS (
      SELECT 1 FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = waiting.receiver ->> 0 AND overdue.endpoint = waiting.receiver ->> 1
        AND overdue.due_at <= ${nowMs}
    ) AND NOT ${isPaused('deliveries', sql`(waiting.receiver ->> 0)`)}`)
  return rows.map(({ receiver }) => receiver)
}

const minPauseMs = 60_000
const maxPauseMs = 60 * 60_000

/**
 * Takes overdue deliveries for the sweep, of each receiver the `share` that is overdue longest. Each is next due after
 * half the time it is overdue, between a minute and an hour, so that a long backlog is not enqueued over and over.
 */
function postponeDueDeliveries(db: Database, receivers: readonly string[], share: number, nowMs: number) {
  const overdueMs = sql`(${nowMs} - coalesce(${deliveries.nextAttemptAt}, ${deliveries.createdAt}))`
  // The query builder has no JSON tables and no limit for each receiver.
  const due = sql`(
    SELECT taken.number FROM json_each(${`[${receivers.join()}]`}) AS receiver CROSS JOIN ${deliveries} AS taken
    WHERE taken.number IN (
      SELECT number FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = receiver.value ->> 0 AND overdue.endpoint = receiver.value ->> 1
        AND overdue.due_at <= ${nowMs} ORDER BY overdue.due_at LIMIT ${share}
    )
  )`
  return db
    .update(deliveries)
    .set({ dueAt: sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, ${overdueMs} / 2))` })
    .where(sql`${deliveries.number} IN ${due}`)
    .returning({
      tenantId: deliveries.tenantId,
      garmentUuid: deliveries.garmentUuid,
      endpoint: deliveries.endpoint,
      id: deliveries.id,
      attemptCount: deliveries.attemptCount,
    })
}
