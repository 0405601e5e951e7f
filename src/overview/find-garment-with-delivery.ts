import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { deliveries, garments } from '../db/schema.ts'
import { storedExportDefaults } from '../export/shop/defaults.ts'
import type { GarmentFilter } from '../garment/list/list-garments.ts'
import { neighbour } from '../garment/list/neighbour.ts'
import { parseStudios, studiosIfNamed } from '../studio/find-studio.ts'
import { isOfGarment } from '../webhook/delivery/conditions.ts'

/**
 * A garment with its delivery (or null) and, if it names a studio, the tenant's studios, and with what the tenant chose
 * for its listings, and the uuids of its neighbours in a list, in one round trip; null for an unknown or another
 * tenant's uuid.
 */
export async function findGarmentWithDelivery(
  db: Database,
  tenantId: string,
  uuid: string,
  list: Omit<GarmentFilter, 'limit'>,
) {
  const [row] = await db
    .select({
      garment: garments,
      delivery: deliveries,
      studios: studiosIfNamed,
      storedDefaults: storedExportDefaults(tenantId),
      previous: neighbour('previous', tenantId, uuid, list),
      next: neighbour('next', tenantId, uuid, list),
    })
    .from(garments)
    .leftJoin(deliveries, isOfGarment(tenantId, uuid, 'tagging'))
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  return row === undefined ? null : { ...row, studios: parseStudios(row.studios) }
}
