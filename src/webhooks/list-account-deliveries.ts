import { and, desc, eq } from 'drizzle-orm'
import type { Database } from '../platform/db/database.ts'
import { accountEndpoint, accountEvents, deliveries } from '../platform/db/schema.ts'

const maxListed = 50

/** The latest deliveries to the webhook of an account, newest first. */
export async function listAccountDeliveries(db: Database, merchantId: string) {
  return await db
    .select({ event: accountEvents.event, delivery: deliveries })
    .from(accountEvents)
    .innerJoin(
      deliveries,
      and(
        eq(deliveries.tenantId, accountEvents.merchantId),
        eq(deliveries.garmentUuid, accountEvents.id),
        eq(deliveries.deliveryKey, accountEndpoint),
      ),
    )
    .where(eq(accountEvents.merchantId, merchantId))
    .orderBy(desc(accountEvents.at), desc(accountEvents.id))
    .limit(maxListed)
}

export type AccountDelivery = Awaited<ReturnType<typeof listAccountDeliveries>>[number]
