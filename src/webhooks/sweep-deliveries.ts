import { sql, type SQL } from 'drizzle-orm'
import { type Database, newId } from '../platform/db/database.ts'
import { deliveries } from '../platform/db/schema.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { type DeliveryMessage, nextMessage } from '../events/delivery.ts'
import { postponeDeliveries } from '../events/transitions.ts'

/** `sendBatch` takes at most 100 messages. */
const stepSize = 100

/** Bounds a sweep to 4,000 deliveries and 41 queries. */
const defaultMaxSteps = 40

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
  let receivers = await findReceiversWithDue(db, startAfter, nowMs)
  let count = 0
  for (let step = 0; step < maxSteps && receivers.length > 0; step++) {
    const served = receivers.slice(0, stepSize)
    const share = Math.floor(stepSize / served.length)
    // State first, then the queue: if the queue fails, the next sweep takes them again.
    const taken = await postponeDeliveries(db, served, share, nowMs)
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

/**
 * The receivers with overdue deliveries, in the order of their tenants: from `startAfter` on, then from the beginning.
 * Skips from one to the next in the index.
 */
async function findReceiversWithDue(db: Database, startAfter: string, nowMs: number): Promise<string[]> {
  const nextAfter = (tenantId: unknown, endpoint: unknown) => sql`(
    SELECT json_array(tenant_id, endpoint) FROM ${deliveries} INDEXED BY deliveries_due
    WHERE due_at IS NOT NULL AND (tenant_id, endpoint) > (${tenantId}, ${endpoint}) ORDER BY tenant_id, endpoint LIMIT 1
  )`
  const waitingFrom = (name: SQL, from: string) => sql`
    ${name} (receiver) AS (
      SELECT ${nextAfter(from, '')}
      UNION ALL SELECT ${nextAfter(sql`${name}.receiver ->> 0`, sql`${name}.receiver ->> 1`)}
      FROM ${name} WHERE ${name}.receiver IS NOT NULL
      LIMIT ${maxReceivers}
    )`
  // The query builder has no recursive queries. The second walk may meet receivers of the first.
  const rows = await db.all<{ receiver: string }>(sql`
    WITH RECURSIVE ${waitingFrom(sql`later`, startAfter)}, ${waitingFrom(sql`earlier`, '')}
    SELECT receiver FROM (
      SELECT receiver, 0 AS turn FROM later
      UNION ALL SELECT receiver, 1 FROM earlier WHERE receiver NOT IN (SELECT receiver FROM later WHERE receiver IS NOT NULL)
    ) AS waiting
    WHERE EXISTS (
      SELECT 1 FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = waiting.receiver ->> 0 AND overdue.endpoint = waiting.receiver ->> 1
        AND overdue.due_at <= ${nowMs}
    ) AND NOT ${isPaused('deliveries', sql`(waiting.receiver ->> 0)`)}
    ORDER BY turn, receiver ->> 0, receiver ->> 1`)
  return rows.map(({ receiver }) => receiver)
}
