import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { cutPage, olderThan, parseCursor, type PageRequest, type Position } from '../../db/page.ts'
import { deliveries, firstEndpoint, webhookEndpoints } from '../../db/schema.ts'
import type { DeliveryStatus } from './conditions.ts'

export interface DeliveryFilter extends PageRequest {
  readonly status?: DeliveryStatus | undefined
}

/**
 * A tenant's deliveries: pending ones by when they are due, the latest first, then all others, newest first. The list
 * of all statuses merges three index scans, so that the rows read do not grow with the table.
 */
export async function listDeliveries(db: Database, tenantId: string, { status, limit, cursor }: DeliveryFilter) {
  const position = parseCursor(cursor)
  const walk = (each: DeliveryStatus) => {
    const key = each === 'pending' ? deliveries.dueAt : deliveries.createdAt
    const state =
      each === 'pending'
        ? sql`${deliveries.number} IN ${latestPending(tenantId, limit + 1, position)}`
        : and(isNull(deliveries.dueAt), eq(deliveries.status, each))
    return db
      .select({ ...getTableColumns(deliveries), at: sql<number>`${key}`.as('at') })
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), state, position && olderThan(key, deliveries.id, position)))
  }
  const walks =
    status === undefined ? unionAll(walk('pending'), walk('delivered'), walk('permanently_failed')) : walk(status)
  const rows = await walks.orderBy(sql`at DESC, id DESC`).limit(limit + 1)
  const page = cutPage(rows, limit, ({ at, id }) => ({ at, id }))
  return { deliveries: page.rows, nextCursor: page.nextCursor }
}

/** The numbers of the pending deliveries of each endpoint that are due last: the index has no order over all of them. */
const latestPending = (tenantId: string, limit: number, position: Position | undefined) => sql`(
  SELECT shown.number FROM (
    SELECT ${firstEndpoint} AS endpoint
    UNION ALL SELECT endpoint FROM ${webhookEndpoints} WHERE tenant_id = ${tenantId}
  ) AS receiver CROSS JOIN ${deliveries} AS shown
  WHERE shown.number IN (
    SELECT number FROM ${deliveries} AS waiting INDEXED BY deliveries_due
    WHERE waiting.tenant_id = ${tenantId} AND waiting.endpoint = receiver.endpoint AND waiting.due_at > 0
      ${position === undefined ? sql`` : sql`AND (waiting.due_at, waiting.id) < (${position.at}, ${position.id})`}
    ORDER BY waiting.due_at DESC, waiting.id DESC LIMIT ${limit}
  )
)`
