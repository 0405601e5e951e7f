import type { Database } from '../../db/client.ts'
import { deliveries, firstEndpoint, webhookEndpoints } from '../../db/schema.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { isEndpoint } from '../config/config-row.ts'
import { deliveryNotFound, endpointNotFound } from '../errors.ts'
import { isOfGarment, isToAnyEndpoint, type DeliveryRow } from './conditions.ts'

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

/**
 * The delivery of a garment's tagging to one endpoint, and those to the others. Throws 404 for a garment without one, and for an
 * endpoint that does not exist.
 */
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
  if (delivery === undefined) {
    const [known] = await db
      .select({ endpoint: webhookEndpoints.endpoint })
      .from(webhookEndpoints)
      .where(isEndpoint({ tenantId, endpoint }))
    // A tenant has a first endpoint even before it is configured.
    throw known === undefined && endpoint !== firstEndpoint ? endpointNotFound() : deliveryNotFound()
  }
  return { delivery, others: rows.filter((row) => row !== delivery) }
}
