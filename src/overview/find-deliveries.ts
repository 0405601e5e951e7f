import type { Database } from '../db/client.ts'
import { listConfigRows } from '../webhook/config/config-row.ts'
import { cutDeliveries, deliveryQueries, type DeliveryFilter } from '../webhook/delivery/list-deliveries.ts'
import { rangeRedeliveryQuery } from '../webhook/redelivery/find-range-redelivery.ts'

/** A page of a tenant's deliveries, its endpoints and the redelivery that is under way, in one round trip. */
export async function findDeliveries(db: Database, tenantId: string, filter: DeliveryFilter) {
  const [rows, ends, endpoints, [redelivery]] = await db.batch([
    ...deliveryQueries(db, tenantId, filter),
    listConfigRows(db, tenantId),
    rangeRedeliveryQuery(db, tenantId),
  ])
  return { ...cutDeliveries(rows, ends, filter.limit), endpoints, redelivery }
}

export type FoundDeliveries = Awaited<ReturnType<typeof findDeliveries>>
