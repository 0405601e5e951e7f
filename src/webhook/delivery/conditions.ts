import { and, eq, exists, gt, gte, isNull, lt, lte, ne, or, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { Database } from '../../db/client.ts'
import {
  deliveries,
  deliveryKinds,
  firstEndpoint,
  webhookConfigs,
  webhookEndpoints,
  type deliveryStatuses,
} from '../../db/schema.ts'
import type { DeliveryMessage } from './message.ts'

export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export type DeliveryKind = (typeof deliveryKinds)[number]
export type ClaimedDelivery = DeliveryRow & { readonly claimId: string }

/** The columns of a delivery without a claim. */
export const unclaimed = { claimId: null, leaseUntil: null, claims: 0 } as const

/** Identifies a delivery among those of its garment. */
const slotOf = (kind: DeliveryKind, endpoint: string) => (endpoint === firstEndpoint ? kind : `${kind} ${endpoint}`)

export const kindOf = ({ slot }: Pick<DeliveryRow, 'slot'>): DeliveryKind =>
  deliveryKinds.find((kind) => slot.startsWith(kind)) ?? 'tagging'

const isGarment = (tenantId: string, garmentUuid: string) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.garmentUuid, garmentUuid))

/** The delivery of a garment's tagging, or of its last correction, to one endpoint. */
export const isOfGarment = (tenantId: string, garmentUuid: string, kind: DeliveryKind, endpoint = firstEndpoint) =>
  and(isGarment(tenantId, garmentUuid), eq(deliveries.slot, slotOf(kind, endpoint)))

/** Its deliveries to all endpoints: `!` follows the space after the kind. */
export const isToAnyEndpoint = (tenantId: string, garmentUuid: string, kind: DeliveryKind) =>
  and(isGarment(tenantId, garmentUuid), gte(deliveries.slot, kind), lt(deliveries.slot, `${kind}!`))

/** Until the lease expires, an attempt is in progress. */
export const isUnleased = (nowMs: number) => or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, nowMs))

/**
 * An upload may have started the delivery over under another id since the message was sent. The slot completes the
 * unique index; without it SQLite would read all pending deliveries of the tenant.
 */
export const matchesMessage = ({ tenantId, garmentUuid, deliveryId }: DeliveryMessage) =>
  and(
    eq(deliveries.tenantId, tenantId),
    eq(deliveries.garmentUuid, garmentUuid),
    gt(deliveries.slot, ''),
    eq(deliveries.id, deliveryId),
  )

/** The number finds the row, the id tells whether it is still this delivery's. */
export const isDelivery = ({ tenantId, number, id }: DeliveryRow) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.number, number), eq(deliveries.id, id))

export const isClaimedBy = (claimed: ClaimedDelivery) =>
  and(isDelivery(claimed), eq(deliveries.claimId, claimed.claimId))

type WhichEndpoints = (table: typeof webhookConfigs) => SQL | undefined

function endpointsOf(db: Database, tenantId: string, which: WhichEndpoints) {
  const of = (table: typeof webhookConfigs) =>
    db
      .select({ endpoint: table.endpoint })
      .from(table)
      .where(and(eq(table.tenantId, tenantId), which(table)))
  return unionAll(of(webhookConfigs), of(webhookEndpoints))
}

/** The enabled endpoints of a tenant, of which `which` selects some. */
export const enabledEndpoints = (db: Database, tenantId: string, which: WhichEndpoints = () => undefined) =>
  endpointsOf(db, tenantId, (table) => and(eq(table.enabled, true), which(table)))

/** Whether there is an endpoint of this id. A deleted one has no address. */
export const isEndpointKnown = (db: Database, tenantId: string, endpoint: string): SQL =>
  exists(endpointsOf(db, tenantId, (table) => and(eq(table.endpoint, endpoint), ne(table.url, ''))))

/** Whether an endpoint is enabled; of all together, whether any is. */
export const isEndpointEnabled = (
  db: Database,
  tenantId: string,
  endpoint?: string | typeof deliveries.endpoint,
): SQL =>
  exists(enabledEndpoints(db, tenantId, (table) => (endpoint === undefined ? undefined : eq(table.endpoint, endpoint))))
