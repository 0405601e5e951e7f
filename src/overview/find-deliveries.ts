import type { Database } from '../db/client.ts'
import { configQueries } from '../webhook/config/config-row.ts'
import { cutDeliveries, deliveryQueries, type DeliveryFilter } from '../webhook/delivery/list-deliveries.ts'
import { rangeRedeliveryQuery } from '../webhook/redelivery/find-range-redelivery.ts'

/** A page of a tenant's deliveries, its endpoints and the redelivery that is under way, in one round trip. */
export async function findDeliveries(db: Database, tenantId: string, filter: DeliveryFilter) {
  const [rows, ends, first, others, [redelivery]] = await db.batch([
    ...deliveryQueries(db, tenantId, filter),
    ...configQueries(db, tenantId),
    rangeRedeliveryQuery(db, tenantId),
  ])
  return { ...cutDeliveries(rows, ends, filter.limit), endpoints: [...first, ...others], redelivery }
}

export type FoundDeliveries = Awaited<ReturnType<typeof findDeliveries>>
