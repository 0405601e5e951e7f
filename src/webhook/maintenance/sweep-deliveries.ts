import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { newId } from '../../db/ids.ts'
import { deliveries } from '../../db/schema.ts'
import { isPaused } from '../../pause/is-paused.ts'
import { nextMessage, type DeliveryMessage } from '../delivery/message.ts'
import { postponeDueDeliveries } from '../delivery/transitions.ts'

/** `sendBatch` takes at most 100 messages. */
const stepSize = 100

/** Bounds a sweep to 6,000 deliveries and 62 queries. */
const defaultMaxSteps = 60

/** Tenants that one query finds, at two index look-ups each. */
const maxTenants = 1000

/**
 * Enqueues deliveries whose message, dispatcher or process was lost. Tenants take turns, so that the backlog of one
 * does not delay another's. Returns how many deliveries were enqueued. `startAfter` is the tenant id to begin after:
 * random, so that with more than `maxTenants` none is always among the last.
 */
export async function sweepDeliveries(
  { db, queue }: { readonly db: Database; readonly queue: Queue<DeliveryMessage> },
  nowMs: number,
  { startAfter = newId(), maxSteps = defaultMaxSteps } = {},
): Promise<number> {
  const after = await findTenantsWithDue(db, startAfter, nowMs)
  const before = await findTenantsWithDue(db, '', nowMs)
  let tenants = [...new Set([...after, ...before])]
  let count = 0
  for (let step = 0; step < maxSteps && tenants.length > 0; step++) {
    const served = tenants.slice(0, stepSize)
    const share = Math.floor(stepSize / served.length)
    // State first, then the queue: if the queue fails, the next sweep takes them again.
    const taken = await postponeDueDeliveries(db, served, share, nowMs)
    if (taken.length > 0) await queue.sendBatch(taken.map((row) => ({ body: nextMessage(row) })))
    count += taken.length
    const hasMore = served.filter((id) => taken.filter(({ tenantId }) => tenantId === id).length === share)
    tenants = [...tenants.slice(stepSize), ...hasMore]
  }
  return count
}

/** The tenants with overdue deliveries, in the order of their ids. Skips from tenant to tenant in the index. */
async function findTenantsWithDue(db: Database, startAfter: string, nowMs: number): Promise<string[]> {
  const nextAfter = (tenantId: unknown) =>
    sql`(SELECT min(tenant_id) FROM ${deliveries} INDEXED BY deliveries_due WHERE due_at IS NOT NULL AND tenant_id > ${tenantId})`
  // The query builder has no recursive queries.
  const rows = await db.all<{ tenant_id: string }>(sql`
    WITH RECURSIVE waiting (tenant_id) AS (
      SELECT ${nextAfter(startAfter)}
      UNION ALL SELECT ${nextAfter(sql`waiting.tenant_id`)} FROM waiting WHERE waiting.tenant_id IS NOT NULL
      LIMIT ${maxTenants}
    )
    SELECT tenant_id FROM waiting WHERE EXISTS (
      SELECT 1 FROM ${deliveries} AS overdue INDEXED BY deliveries_due
      WHERE overdue.tenant_id = waiting.tenant_id AND overdue.due_at <= ${nowMs}
    ) AND NOT ${isPaused('deliveries', sql`waiting.tenant_id`)}`)
  return rows.map(({ tenant_id }) => tenant_id)
}
