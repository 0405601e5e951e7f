import { sql, type SQL } from 'drizzle-orm'
import type { EndpointRow } from '../../events/delivery.ts'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { deliveries, deliveryAttempts, webhookEndpoints } from '../../platform/db/schema.ts'
import { dayMs } from '../../time.ts'
import { listEndpointRows } from './endpoint.ts'

export interface EndpointHealth {
  readonly attempts: number
  /** Attempts that the endpoint answered with 2xx in time. */
  readonly accepted: number
  /** The 95th percentile of the attempts' durations; null without attempts. */
  readonly durationMs: number | null
  /** Number of pending deliveries, at most `maxPending`. */
  readonly pending: number
  /** When the oldest of those pending deliveries was created; null without one. */
  readonly oldestPendingAt: number | null
}

export type EndpointWithHealth = EndpointRow & { readonly health: EndpointHealth }

const healthMs = dayMs

/** Number of latest deliveries whose attempts are read, over all endpoints of the tenant. */
const sampledDeliveries = 400

/** Number of pending deliveries per endpoint whose attempts are read: those due last, which have failed most. */
const sampledPending = 100

/** Larger counts are shown as "at least". */
export const maxPending = 500

const untried: EndpointHealth = { attempts: 0, accepted: 0, durationMs: null, pending: 0, oldestPendingAt: null }

/**
 * Lists a tenant's endpoints with their health in the last day, in one round trip. The health is computed from the
 * latest attempts, so that deliveries write no extra rows. The rows read do not grow with the table.
 */
export async function listEndpointHealth(db: Database, tenantId: string, nowMs: number): Promise<EndpointWithHealth[]> {
  const { rows, answered, waiting } = await runBatch(db, {
    rows: listEndpointRows(db, tenantId),
    answered: answeredQuery(tenantId, nowMs - healthMs),
    waiting: waitingQuery(db, tenantId),
  })
  return rows.map((row) => {
    const isOfRow = ({ endpointId }: { readonly endpointId: string }) => endpointId === row.id
    return { ...row, health: { ...untried, ...answered.find(isOfRow), ...waiting.find(isOfRow) } }
  })
}

/** Selects pending deliveries to the endpoint of the row `receiver`, in the order of when they are due. */
const pendingOf = (tenantId: string, columns: SQL, order: SQL, limit: number) => sql`
  SELECT ${columns} FROM ${deliveries} AS waiting INDEXED BY deliveries_due
  WHERE waiting.tenant_id = ${tenantId} AND waiting.endpoint_id = receiver.id AND waiting.due_at IS NOT NULL
  ORDER BY waiting.due_at ${order} LIMIT ${limit}`

const answeredQuery = (tenantId: string, sinceMs: number) => sql<
  { readonly endpointId: string } & Pick<EndpointHealth, 'attempts' | 'accepted' | 'durationMs'>
>`
  SELECT endpoint_id AS endpointId, count(*) AS attempts, sum(accepted) AS accepted,
    min(CASE WHEN position >= total * 0.95 THEN duration_ms END) AS durationMs
  FROM (
    WITH latest AS (
      SELECT id, endpoint_id FROM ${deliveries} INDEXED BY deliveries_by_time
      WHERE tenant_id = ${tenantId} AND EXISTS (SELECT 1 FROM ${webhookEndpoints} WHERE tenant_id = ${tenantId})
      ORDER BY created_at DESC, id DESC LIMIT ${sampledDeliveries}
    ), pending AS (
      SELECT sampled.id, sampled.endpoint_id FROM ${webhookEndpoints} AS receiver CROSS JOIN ${deliveries} AS sampled
      WHERE receiver.tenant_id = ${tenantId}
        AND sampled.id IN (${pendingOf(tenantId, sql`waiting.id`, sql`DESC`, sampledPending)})
    ), made AS (
      SELECT sampled.endpoint_id, attempt.error IS NULL AS accepted, attempt.duration_ms,
        row_number() OVER (PARTITION BY sampled.endpoint_id ORDER BY attempt.duration_ms) AS position,
        count(*) OVER (PARTITION BY sampled.endpoint_id) AS total
      FROM (SELECT * FROM latest UNION SELECT * FROM pending) AS sampled
      CROSS JOIN ${deliveryAttempts} AS attempt ON attempt.delivery_id = sampled.id
      WHERE attempt.tenant_id = ${tenantId} AND attempt.at >= ${sinceMs}
    )
    SELECT * FROM made)
  GROUP BY endpoint_id`

const maxEach = maxPending / 2

function waitingQuery(db: Database, tenantId: string) {
  const oldest = (order: SQL) =>
    sql`(SELECT min(created_at) FROM (${pendingOf(tenantId, sql`waiting.created_at`, order, maxEach)}))`
  return db
    .select({
      endpointId: sql<string>`receiver.id`.as('endpointId'),
      pending: sql<number>`(SELECT count(*) FROM (${pendingOf(tenantId, sql`1`, sql`ASC`, maxPending)}))`.as('pending'),
      // A delivery with a long retry pause is due last, an overdue one first.
      oldestPendingAt: sql<number | null>`min(${oldest(sql`ASC`)}, ${oldest(sql`DESC`)})`.as('oldestPendingAt'),
    })
    .from(sql`${webhookEndpoints} AS receiver`)
    .where(sql`receiver.tenant_id = ${tenantId}`)
}
