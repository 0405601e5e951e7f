import { and, eq, exists, gt, gte, isNull, lt, lte, ne, or, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, firstEndpoint, webhookEndpoints, type deliveryStatuses } from '../../db/schema.ts'
import { deliveryKinds, type DeliveryKind } from '../../events/catalogue.ts'
import { isEndpoint } from '../config/config-row.ts'
import type { DeliveryMessage } from './message.ts'

export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export type ClaimedDelivery = DeliveryRow & { readonly claimId: string }

/** The columns of a delivery without a claim. */
export const unclaimed = { claimId: null, leaseUntil: null, claims: 0 } as const

/** Identifies a delivery among those of its garment. */
const keyOf = (kind: DeliveryKind, endpoint: string) => (endpoint === firstEndpoint ? kind : `${kind} ${endpoint}`)

export const kindOf = ({ deliveryKey }: Pick<DeliveryRow, 'deliveryKey'>): DeliveryKind =>
  deliveryKinds.find((kind) => deliveryKey.startsWith(kind)) ?? 'tagging'

const isGarment = (tenantId: string, garmentUuid: string) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.garmentUuid, garmentUuid))

/** The delivery of a garment's tagging, or of its last correction, to one endpoint. */
export const isOfGarment = (tenantId: string, garmentUuid: string, kind: DeliveryKind, endpoint = firstEndpoint) =>
  and(isGarment(tenantId, garmentUuid), eq(deliveries.deliveryKey, keyOf(kind, endpoint)))

/** Its deliveries to all endpoints: `!` follows the space after the kind. */
export const isToAnyEndpoint = (tenantId: string, garmentUuid: string, kind: DeliveryKind) =>
  and(isGarment(tenantId, garmentUuid), gte(deliveries.deliveryKey, kind), lt(deliveries.deliveryKey, `${kind}!`))

/** Until the lease expires, an attempt is in progress. */
export const isUnleased = (nowMs: number) => or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, nowMs))

/**
 * An upload may have started the delivery over under another id since the message was sent. Its key completes the
 * unique index; without it SQLite would read all pending deliveries of the tenant.
 */
export const matchesMessage = ({ tenantId, garmentUuid, deliveryId }: DeliveryMessage) =>
  and(
    eq(deliveries.tenantId, tenantId),
    eq(deliveries.garmentUuid, garmentUuid),
    gt(deliveries.deliveryKey, ''),
    eq(deliveries.id, deliveryId),
  )

/** The number finds the row, the id tells whether it is still this delivery's. */
export const isDelivery = ({ tenantId, number, id }: DeliveryRow) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.number, number), eq(deliveries.id, id))

export const isClaimedBy = (claimed: ClaimedDelivery) =>
  and(isDelivery(claimed), eq(deliveries.claimId, claimed.claimId))

/** The enabled endpoints of a tenant, of which `which` selects some. */
export const enabledEndpoints = (db: Database, tenantId: string, which?: SQL) =>
  db
    .select({ endpoint: webhookEndpoints.endpoint })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.enabled, true), which))

/** Whether there is an endpoint of this id. A deleted one has no address. */
export const isEndpointKnown = (db: Database, tenantId: string, endpoint: string): SQL =>
  exists(
    db
      .select({ endpoint: webhookEndpoints.endpoint })
      .from(webhookEndpoints)
      .where(and(isEndpoint({ tenantId, endpoint }), ne(webhookEndpoints.url, ''))),
  )

/** Whether an endpoint is enabled; of all together, whether any is. */
export const isEndpointEnabled = (
  db: Database,
  tenantId: string,
  endpoint?: string | typeof deliveries.endpoint,
): SQL =>
  exists(enabledEndpoints(db, tenantId, endpoint === undefined ? undefined : eq(webhookEndpoints.endpoint, endpoint)))
