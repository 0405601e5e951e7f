import { and, eq } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries } from '../../db/schema.ts'
import { ApiError } from '../../http/errors.ts'
import type { DeliveryRow } from './conditions.ts'

/** The delivery of a garment. Throws 404 if it has none; another tenant's gives the same answer. */
export async function getDelivery(db: Database, tenantId: string, garmentUuid: string): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), eq(deliveries.garmentUuid, garmentUuid)))
  if (row === undefined)
    throw new ApiError(404, 'Delivery not found', ['uuid: there is no webhook delivery for a garment of this uuid'])
  return row
}
