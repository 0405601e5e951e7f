import { and, eq, ne, sql, type SQL } from 'drizzle-orm'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { deliveries, deliveryAttempts, webhookEndpoints } from '../../platform/db/schema.ts'
import { dayMs } from '../../time.ts'
import { type ConfigRow, listConfigRows } from './endpoint.ts'
import { firstAttempt, hasFirstAttempt } from '../../events/delivery.ts'

/** How an endpoint has answered lately. */
export interface EndpointHealth {
  readonly attempts: number
  /** Those of `attempts` that it answered with 2xx in time. */
  readonly accepted: number
  /** The 95th percentile of how long `attempts` took; null without one. */
  readonly durationMs: number | null
  /** At most `maxPending`. */
  readonly pending: number
  /** When the oldest of those was created that are due first or last; null without one. */
  readonly oldestPendingAt: number | null
}

export type EndpointWithHealth = ConfigRow & { readonly health: EndpointHealth }

/** The period of the attempts that are counted. */
const healthMs = dayMs

/** Attempts of this many deliveries of each status are read, over all endpoints. */
const sampled = 200

/** For each endpoint those that are due last, among which all failing ones are. */
const sampledPending = 100

/** Beyond it, the count is "at least". */
export const maxPending = 500

const untried: EndpointHealth = { attempts: 0, accepted: 0, durationMs: null, pending: 0, oldestPendingAt: null }

/**
 * The endpoints of a tenant with their health in the last day, in one round trip. The health is computed from the
 * latest deliveries instead of being counted with each attempt, so that deliveries write no extra rows. The rows read
 * do not grow with the table.
 */
export async function listEndpointHealth(db: Database, tenantId: string, nowMs: number): Promise<EndpointWithHealth[]> {
  const { rows, answered, waiting } = await runBatch(db, {
    rows: listConfigRows(db, tenantId),
    answered: answeredQuery(db, tenantId, nowMs - healthMs),
    waiting: waitingQuery(db, tenantId),
  })
  return rows.map((row) => {
    const isOfRow = (other: { readonly endpoint: string }) => other.endpoint === row.endpoint
    return { ...row, health: { ...untried, ...answered.find(isOfRow), ...waiting.find(isOfRow) } }
  })
}

function receiversOf(db: Database, tenantId: string) {
  return db
    .select({ endpoint: webhookEndpoints.endpoint })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.tenantId, tenantId), ne(webhookEndpoints.url, '')))
}

/** The pending deliveries to the endpoint of the row `receiver`. */
const pendingOf = (tenantId: string, columns: SQL, order: SQL, limit: number) => sql`
  SELECT ${columns} FROM ${deliveries} AS waiting INDEXED BY deliveries_due
  WHERE waiting.tenant_id = ${tenantId} AND waiting.endpoint = receiver.endpoint AND waiting.due_at > 0
  ORDER BY waiting.due_at ${order} LIMIT ${limit}`

function answeredQuery(db: Database, tenantId: string, sinceMs: number) {
  const receivers = receiversOf(db, tenantId)
  const firstMs = sql`iif(${hasFirstAttempt} AND ${firstAttempt.at} >= ${sinceMs}, ${firstAttempt.durationMs}, NULL) AS first_ms`
  const ended = (status: 'delivered' | 'permanently_failed') => sql`
    SELECT * FROM (
      SELECT id, endpoint, ${firstMs} FROM ${deliveries} INDEXED BY deliveries_by_status
      WHERE tenant_id = ${tenantId} AND status = ${status} AND due_at IS NULL
      ORDER BY created_at DESC, id DESC LIMIT iif(EXISTS ${receivers}, ${sampled}, 0))`
  const pending = sql`
    SELECT id, ${deliveries.endpoint}, ${firstMs} FROM ${receivers} AS receiver CROSS JOIN ${deliveries}
    WHERE number IN (${pendingOf(tenantId, sql`waiting.number`, sql`DESC`, sampledPending)})`
  return db
    .select({
      endpoint: sql<string>`endpoint`,
      attempts: sql<number>`max(total)`,
      accepted: sql<number>`sum(accepted)`,
      durationMs: sql<number>`min(CASE WHEN position >= total * 0.95 THEN duration_ms END)`,
    })
    .from(
      sql`(
        WITH recent AS MATERIALIZED (${ended('delivered')} UNION ALL ${ended('permanently_failed')} UNION ALL ${pending}),
        made AS (
          SELECT recent.endpoint, later.error = '' AS accepted, later.duration_ms
          FROM recent CROSS JOIN ${deliveryAttempts} AS later
          WHERE later.tenant_id = ${tenantId} AND later.delivery_id = recent.id AND later.at >= ${sinceMs}
          UNION ALL
          SELECT endpoint, 1, first_ms FROM recent WHERE first_ms IS NOT NULL
        )
        SELECT endpoint, accepted, duration_ms,
          row_number() OVER (PARTITION BY endpoint ORDER BY duration_ms) AS position,
          count(*) OVER (PARTITION BY endpoint) AS total
        FROM made)`,
    )
    .groupBy(sql`endpoint`)
}

const maxEach = maxPending / 2

function waitingQuery(db: Database, tenantId: string) {
  const oldest = (order: SQL) =>
    sql`(SELECT min(created_at) FROM (${pendingOf(tenantId, sql`waiting.created_at`, order, maxEach)}))`
  return db
    .select({
      endpoint: sql<string>`receiver.endpoint`,
      pending: sql<number>`(SELECT count(*) FROM (${pendingOf(tenantId, sql`1`, sql`ASC`, maxPending)}))`,
      // A long retry pause is due last, an overdue delivery first.
      oldestPendingAt: sql<number | null>`min(${oldest(sql`ASC`)}, ${oldest(sql`DESC`)})`,
    })
    .from(sql`${receiversOf(db, tenantId)} AS receiver`)
}
