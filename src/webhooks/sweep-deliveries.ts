import { sql } from 'drizzle-orm'
import { type Database, newId } from '../platform/db/database.ts'
import { deliveries } from '../platform/db/schema.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import { type DeliveryMessage, nextMessage } from '../events/delivery.ts'
import { postponeDeliveries } from '../events/delivery-transitions.ts'

const stepSize = 100

/** Bounds a sweep to 4,000 deliveries and 42 queries. */
const defaultMaxSteps = 40

const maxReceivers = 1000

/**
 * Enqueues deliveries whose message, dispatcher or process was lost. Receivers take turns, so that a long backlog of
 * one cannot delay the others. `startAfter`, a tenant id, is random, so that no tenant is always last. Returns how many
 * it enqueued.
 */
export async function sweepDeliveries(
  { db, queue }: { readonly db: Database; readonly queue: Queue<DeliveryMessage> },
  nowMs: number,
  { startAfter = newId(), maxSteps = defaultMaxSteps } = {},
): Promise<number> {
  const later = await findReceiversWithDue(db, startAfter, nowMs)
  let receivers = [...new Set([...later, ...(await findReceiversWithDue(db, '', nowMs))])]
  let count = 0
  for (let step = 0; step < maxSteps && receivers.length > 0; step++) {
    const first = receivers.slice(0, stepSize)
    const share = Math.floor(stepSize / first.length)
    // State first, then the queue. If the queue fails, a later sweep takes them again.
    const rows = await postponeDeliveries(db, first, share, nowMs)
    if (rows.length > 0) await queue.sendBatch(rows.map((row) => ({ body: nextMessage(row) })))
    count += rows.length
    const unfinished = first.filter((each) => rows.filter((row) => nameOf(row) === each).length === share)
    receivers = [...receivers.slice(stepSize), ...unfinished]
  }
  return count
}

const nameOf = ({ tenantId, endpointId }: { readonly tenantId: string; readonly endpointId: string }) =>
  JSON.stringify([tenantId, endpointId])

/**
 * Finds receivers with overdue, unpaused deliveries, as JSON arrays of tenant and endpoint. Skips from one receiver to
 * the next in the index, so that a long backlog costs no further reads.
 */
async function findReceiversWithDue(db: Database, startAfter: string, nowMs: number): Promise<string[]> {
  const rows = await db.all<{ tenantId: string; endpointId: string }>(sql`
    WITH RECURSIVE receiver (receiver) AS (
      SELECT json_array(${startAfter}, '')
      UNION ALL
      SELECT (
        SELECT json_array(tenant_id, endpoint_id) FROM ${deliveries} INDEXED BY deliveries_due
        WHERE due_at IS NOT NULL AND (tenant_id, endpoint_id) > (former.receiver ->> 0, former.receiver ->> 1)
        ORDER BY tenant_id, endpoint_id LIMIT 1
      ) FROM receiver AS former WHERE former.receiver IS NOT NULL
      LIMIT ${maxReceivers + 1}
    )
    SELECT receiver ->> 0 AS tenantId, receiver ->> 1 AS endpointId FROM receiver
    WHERE EXISTS (
      SELECT 1 FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = receiver.receiver ->> 0 AND overdue.endpoint_id = receiver.receiver ->> 1
        AND overdue.due_at <= ${nowMs}
    ) AND NOT ${isPaused('deliveries', sql`(receiver.receiver ->> 0)`)}`)
  return rows.map(nameOf)
}
