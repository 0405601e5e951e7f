import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { deliveries, garments } from '../db/schema.ts'
import { storedExportDefaults } from '../export/shop/defaults.ts'
import { parseStudios, studiosIfNamed } from '../studio/find-studio.ts'
import { isOfGarment } from '../webhook/delivery/conditions.ts'

/** The uuid of the complete garment that was uploaded next before or after a garment; null if there is none. */
function neighbour(side: 'newer' | 'older', tenantId: string, uuid: string) {
  const [beyond, order] = side === 'newer' ? [sql`>`, sql`ASC`] : [sql`<`, sql`DESC`]
  return sql<string | null>`(
    SELECT uuid FROM ${garments} INDEXED BY garments_ended
    WHERE tenant_id = ${tenantId} AND status = 'complete' AND ended_at IS NOT NULL AND (created_at, uuid) ${beyond} (
      (SELECT created_at FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid = ${uuid}), ${uuid})
    ORDER BY created_at ${order}, uuid ${order} LIMIT 1)`
}

/**
 * A garment with its delivery (or null) and, if it names a studio, the tenant's studios, and with what the tenant chose
 * for its listings, and its neighbours, in one round trip; null for an unknown or another tenant's uuid.
 */
export async function findGarmentWithDelivery(db: Database, tenantId: string, uuid: string) {
  const [row] = await db
    .select({
      garment: garments,
      delivery: deliveries,
      studios: studiosIfNamed,
      storedDefaults: storedExportDefaults(tenantId),
      newer: neighbour('newer', tenantId, uuid),
      older: neighbour('older', tenantId, uuid),
    })
    .from(garments)
    .leftJoin(deliveries, isOfGarment(tenantId, uuid, 'tagging'))
    .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  return row === undefined ? null : { ...row, studios: parseStudios(row.studios) }
}
