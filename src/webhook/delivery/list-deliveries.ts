import { and, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries } from '../../db/schema.ts'
import { parsePlace, placeOf } from './cursor.ts'
import type { DeliveryRow } from './delivery-record.ts'
import type { Page } from './list-attempts.ts'

export interface DeliveryFilter extends Page {
  readonly status?: DeliveryRow['status'] | undefined
}

/** A tenant's deliveries, newest first. Reads an index in its order, so that the rows read do not grow with the table. */
export async function listDeliveries(db: Database, tenantId: string, { status, limit, cursor }: DeliveryFilter) {
  const before = cursor === undefined ? undefined : parsePlace(cursor)
  const rows = await db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.tenantId, tenantId),
        status === undefined ? undefined : eq(deliveries.status, status),
        before && sql`(${deliveries.createdAt}, ${deliveries.id}) < (${before.at}, ${before.id})`,
      ),
    )
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(limit + 1)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    deliveries: page,
    nextCursor: rows.length > limit && last !== undefined ? placeOf(last.createdAt, last.id) : null,
  }
}
