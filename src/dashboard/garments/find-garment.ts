import { and, eq, sql } from 'drizzle-orm'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { configEndpointId, deliveries, garments, webhookEndpoints } from '../../platform/db/schema.ts'
import { storedExportDefaults } from '../../exports/shops/export-defaults.ts'
import { garmentRow } from '../../garments/garment.ts'
import { type GarmentFilter, neighbourQuery } from '../../garments/list/list-garments.ts'
import { parseStudios, studiosIfNamed } from '../../garments/studios.ts'
import { isAboutGarment } from '../../events/delivery.ts'

/** A delivery to one endpoint. The endpoint's URL is null if it was deleted. */
export type DeliveryTo = Awaited<ReturnType<typeof deliveriesQuery>>[number]

/** Selects a column of the delivery's endpoint under a unique name, because a batch identifies columns by name. */
const endpointColumn = <T>(column: 'description' | 'url' | 'enabled') =>
  sql<T | null>`${webhookEndpoints[column]}`.as(`endpoint_${column}`)

/** Lists the garment's deliveries. Deliveries of the tagging result come first, then by endpoint. */
const deliveriesQuery = (db: Database, tenantId: string, uuid: string) =>
  db
    .select({
      delivery: deliveries,
      description: endpointColumn<string>('description'),
      url: endpointColumn<string>('url'),
      isEnabled: endpointColumn<number>('enabled'),
    })
    .from(deliveries)
    .leftJoin(
      webhookEndpoints,
      and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.id, deliveries.endpointId)),
    )
    .where(isAboutGarment(tenantId, uuid))
    .orderBy(
      sql`${deliveries.kind} <> 'tagging'`,
      deliveries.kind,
      sql`${deliveries.endpointId} <> ${configEndpointId}`,
    )

/**
 * Reads everything that a garment's page shows in one round trip: its deliveries, its neighbours in the list, the
 * tenant's listing defaults and, if the garment names a studio, the studios. Returns null for an unknown uuid.
 */
export async function findGarmentWithDeliveries(
  db: Database,
  tenantId: string,
  uuid: string,
  list: Omit<GarmentFilter, 'limit'>,
) {
  const {
    rows: [row],
    sent,
    before,
    after,
  } = await runBatch(db, {
    rows: db
      .select({
        garment: garmentRow,
        studios: studiosIfNamed,
        storedDefaults: storedExportDefaults(tenantId),
      })
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))),
    sent: deliveriesQuery(db, tenantId, uuid),
    before: neighbourQuery(db, { tenantId, uuid, side: 'previous', filter: list }),
    after: neighbourQuery(db, { tenantId, uuid, side: 'next', filter: list }),
  })
  if (row === undefined) return null
  const beside = { previous: before[0]?.uuid ?? null, next: after[0]?.uuid ?? null }
  return { ...row, ...beside, studios: parseStudios(row.studios), deliveries: sent }
}
