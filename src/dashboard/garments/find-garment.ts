import { and, eq } from 'drizzle-orm'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { configEndpointId, deliveries, garments } from '../../platform/db/schema.ts'
import { storedExportDefaults } from '../../exports/shops/export-defaults.ts'
import { garmentRow } from '../../garments/garment.ts'
import { type GarmentFilter, neighbourQuery } from '../../garments/list/list-garments.ts'
import { parseStudios, studiosIfNamed } from '../../garments/studios.ts'
import { type DeliveryRow, type EndpointRow, isAboutGarment } from '../../events/delivery.ts'
import { listEndpointRows } from '../../webhooks/endpoints/endpoint.ts'

export interface DeliveryTo {
  readonly delivery: DeliveryRow
  /** Undefined if the endpoint was deleted. */
  readonly endpoint: EndpointRow | undefined
}

/** Adds its endpoint to each delivery. Deliveries of the tagging result come first, then by event and endpoint. */
function toDeliveries(rows: readonly DeliveryRow[], endpoints: readonly EndpointRow[]): DeliveryTo[] {
  const rankOf = ({ kind, endpointId }: DeliveryRow) =>
    [kind === 'tagging' ? '' : kind, endpointId === configEndpointId ? '' : endpointId].join(' ')
  return rows
    .toSorted((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
    .map((delivery) => ({ delivery, endpoint: endpoints.find(({ id }) => id === delivery.endpointId) }))
}

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
    endpoints,
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
    sent: db.select().from(deliveries).where(isAboutGarment(tenantId, uuid)),
    endpoints: listEndpointRows(db, tenantId),
    before: neighbourQuery(db, { tenantId, uuid, side: 'previous', filter: list }),
    after: neighbourQuery(db, { tenantId, uuid, side: 'next', filter: list }),
  })
  if (row === undefined) return null
  const beside = { previous: before[0]?.uuid ?? null, next: after[0]?.uuid ?? null }
  return { ...row, ...beside, studios: parseStudios(row.studios), deliveries: toDeliveries(sent, endpoints) }
}
