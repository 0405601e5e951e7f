import { and, eq, getTableColumns, gt, isNull, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import { cutPage, olderThan, parseCursor, type PageRequest } from '../../db/page.ts'
import { deliveries } from '../../db/schema.ts'
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
    const state = each === 'pending' ? gt(key, 0) : and(isNull(deliveries.dueAt), eq(deliveries.status, each))
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
