import type { Database } from '../../db/client.ts'
import { deliveries } from '../../db/schema.ts'
import { deliveryNotFound } from '../errors.ts'
import { isOfGarment, type DeliveryKind, type DeliveryRow } from './conditions.ts'

/** The delivery of a garment. Throws 404 if it has none; another tenant's gives the same answer. */
export async function getDelivery(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  kind: DeliveryKind = 'tagging',
): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(isOfGarment(tenantId, garmentUuid, kind))
  if (row === undefined) throw deliveryNotFound()
  return row
}
