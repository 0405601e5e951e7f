import { and, eq, getTableColumns, gt, isNull, sql, type SQL } from 'drizzle-orm'
import { unionAll, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { cutPage, olderThan, parseCursor, type PageRequest, type Position } from '../../db/page.ts'
import { deliveries, firstEndpoint, webhookEndpoints } from '../../db/schema.ts'
import type { DeliveryStatus } from './conditions.ts'

export interface DeliveryFilter extends PageRequest {
  readonly status?: DeliveryStatus | undefined
}

/**
 * A tenant's deliveries: pending ones by when they are due, the latest first, then all others, newest first. The list
 * of all statuses merges index scans, so that the rows read do not grow with the table.
 */
export async function listDeliveries(db: Database, tenantId: string, { status, limit, cursor }: DeliveryFilter) {
  const position = parseCursor(cursor)
  const walk = (key: SQLiteColumn, state: SQL | undefined) =>
    db
      .select({ ...getTableColumns(deliveries), at: sql<number>`${key}`.as('at') })
      .from(deliveries)
      .where(and(state, position && olderThan(key, deliveries.id, position)))
  const ofTenant = eq(deliveries.tenantId, tenantId)
  const ended = (each: DeliveryStatus) =>
    walk(deliveries.createdAt, and(ofTenant, isNull(deliveries.dueAt), eq(deliveries.status, each)))
  // The index has no order over all endpoints. The first one's is walked; of the others, which few tenants have, the latest
  // are looked up. The plus keeps SQLite from reading all of the tenant's deliveries instead.
  const toFirst = and(ofTenant, eq(deliveries.endpoint, firstEndpoint), gt(deliveries.dueAt, 0))
  const toOthers = sql`+${deliveries.tenantId} = ${tenantId} AND ${deliveries.number} IN ${latestToOthers(tenantId, limit + 1, position)}`
  const pending = unionAll(walk(deliveries.dueAt, toFirst), walk(deliveries.dueAt, toOthers))
  const walks =
    status === undefined
      ? pending.unionAll(ended('delivered')).unionAll(ended('permanently_failed'))
      : status === 'pending'
        ? pending
        : ended(status)
  const rows = await walks.orderBy(sql`at DESC, id DESC`).limit(limit + 1)
  const page = cutPage(rows, limit, ({ at, id }) => ({ at, id }))
  return { deliveries: page.rows, nextCursor: page.nextCursor }
}

/** The numbers of the pending deliveries to each further endpoint that are due last. */
const latestToOthers = (tenantId: string, limit: number, position: Position | undefined) => sql`(
  SELECT shown.number FROM ${webhookEndpoints} AS receiver CROSS JOIN ${deliveries} AS shown
  WHERE receiver.tenant_id = ${tenantId} AND shown.number IN (
    SELECT number FROM ${deliveries} AS waiting INDEXED BY deliveries_due
    WHERE waiting.tenant_id = ${tenantId} AND waiting.endpoint = receiver.endpoint AND waiting.due_at > 0
      ${position === undefined ? sql`` : sql`AND (waiting.due_at, waiting.id) < (${position.at}, ${position.id})`}
    ORDER BY waiting.due_at DESC, waiting.id DESC LIMIT ${limit}
  )
)`
