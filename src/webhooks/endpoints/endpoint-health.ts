import { sql } from 'drizzle-orm'
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
  readonly pending: number
  /** Creation time of the oldest pending delivery. Null without one. */
  readonly oldestPendingAt: number | null
}

export type EndpointWithHealth = EndpointRow & { readonly health: EndpointHealth }

const healthMs = dayMs

/** Number of latest deliveries, over all endpoints, whose attempts are read. */
const sampledDeliveries = 400

/** Number of pending deliveries per endpoint whose attempts are read. Deliveries due last have failed most often. */
const sampledPending = 100

/** Pages show a larger count as "at least". */
export const maxPending = 500

const untried: EndpointHealth = { attempts: 0, accepted: 0, durationMs: null, pending: 0, oldestPendingAt: null }

/** Lists endpoints with their health in the last day, computed from the latest attempts instead of stored counts. */
export async function listEndpointHealth(db: Database, tenantId: string, nowMs: number): Promise<EndpointWithHealth[]> {
  const { rows, answered, waiting } = await runBatch(db, {
    rows: listEndpointRows(db, tenantId),
    answered: answeredQuery(tenantId, nowMs - healthMs),
    waiting: waitingQuery(tenantId),
  })
  return rows.map((row) => {
    const isOfRow = ({ endpointId }: { readonly endpointId: string }) => endpointId === row.id
    return { ...row, health: { ...untried, ...answered.find(isOfRow), ...waiting.find(isOfRow) } }
  })
}

/** Selects pending deliveries to the endpoint of the row `receiver`, either those due first or those due last. */
const pendingOf = (tenantId: string, first: 'ASC' | 'DESC', limit: number) => sql`
  SELECT waiting.id, waiting.created_at FROM ${deliveries} AS waiting INDEXED BY deliveries_due
  WHERE waiting.tenant_id = ${tenantId} AND waiting.endpoint_id = receiver.id AND waiting.due_at IS NOT NULL
  ORDER BY waiting.due_at ${sql.raw(first)} LIMIT ${limit}`

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
        AND sampled.id IN (SELECT id FROM (${pendingOf(tenantId, 'DESC', sampledPending)}))
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

/** Looks for the oldest pending delivery at both ends, because a delivery with a long pause is due last. */
const waitingQuery = (tenantId: string) => sql<
  { readonly endpointId: string } & Pick<EndpointHealth, 'pending' | 'oldestPendingAt'>
>`
  SELECT receiver.id AS endpointId, (SELECT count(*) FROM (${pendingOf(tenantId, 'ASC', maxPending)})) AS pending,
    min((SELECT min(created_at) FROM (${pendingOf(tenantId, 'ASC', maxEach)})),
      (SELECT min(created_at) FROM (${pendingOf(tenantId, 'DESC', maxEach)}))) AS oldestPendingAt
  FROM ${webhookEndpoints} AS receiver WHERE receiver.tenant_id = ${tenantId}`
