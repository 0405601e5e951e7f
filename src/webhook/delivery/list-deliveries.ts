import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { cutPage, olderThan, parseCursor, type PageRequest } from '../../db/page.ts'
import { deliveries } from '../../db/schema.ts'
import type { DeliveryRow, DeliveryStatus } from './conditions.ts'

export interface DeliveryFilter extends PageRequest {
  readonly status?: DeliveryStatus | undefined
}

/**
 * A tenant's deliveries, newest first. One index by status serves all lists: the list of all statuses merges the first
 * rows of each, so that the rows read do not grow with the table.
 */
export async function listDeliveries(db: Database, tenantId: string, { status, limit, cursor }: DeliveryFilter) {
  const place = parseCursor(cursor)
  const query = (each: DeliveryStatus) =>
    db
      .select()
      .from(deliveries)
      .where(
        and(
          eq(deliveries.tenantId, tenantId),
          eq(deliveries.status, each),
          place && olderThan(deliveries.createdAt, deliveries.id, place),
        ),
      )
      .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
      .limit(limit + 1)
  const lists =
    status === undefined
      ? await db.batch([query('pending'), query('delivered'), query('permanently_failed')])
      : [await query(status)]
  const rows = lists
    .flat()
    .sort(byNewest)
    .slice(0, limit + 1)
  const page = cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { deliveries: page.rows, nextCursor: page.nextCursor }
}

const byNewest = (a: DeliveryRow, b: DeliveryRow) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)
