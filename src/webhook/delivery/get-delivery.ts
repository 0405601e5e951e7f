import type { Database } from '../../db/client.ts'
import { deliveries, firstEndpoint } from '../../db/schema.ts'
import { deliveryNotFound } from '../errors.ts'
import { isOfGarment, isToAnyEndpoint, type DeliveryKind, type DeliveryRow } from './conditions.ts'

/** The delivery of a garment. Throws 404 if it has none; another tenant's gives the same answer. */
export async function getDelivery(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  kind: DeliveryKind = 'tagging',
  endpoint = firstEndpoint,
): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(isOfGarment(tenantId, garmentUuid, kind, endpoint))
  if (row === undefined) throw deliveryNotFound()
  return row
}

/** The delivery of a garment's tagging to one endpoint, and those to the others. Throws 404 as `getDelivery`. */
export async function getDeliveryToEach(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  endpoint = firstEndpoint,
): Promise<{ readonly delivery: DeliveryRow; readonly others: DeliveryRow[] }> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(isToAnyEndpoint(tenantId, garmentUuid, 'tagging'))
  const delivery = rows.find((row) => row.endpoint === endpoint)
  if (delivery === undefined) throw deliveryNotFound()
  return { delivery, others: rows.filter((row) => row !== delivery) }
}
