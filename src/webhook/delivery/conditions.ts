import { and, eq, exists, gt, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, webhookConfigs, deliveryKinds, type deliveryStatuses } from '../../db/schema.ts'
import type { DeliveryMessage } from './message.ts'

export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export type DeliveryKind = (typeof deliveryKinds)[number]
export type ClaimedDelivery = DeliveryRow & { readonly claimId: string }

/** The columns of a delivery that nobody holds. */
export const unclaimed = { claimId: null, leaseUntil: null, claims: 0 } as const

/** The delivery of a garment's tagging, or of its last correction. */
export const isOfGarment = (tenantId: string, garmentUuid: string, kind: DeliveryKind) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.garmentUuid, garmentUuid), eq(deliveries.kind, kind))

/** While a lease runs, an attempt is being made. */
export const isUnleased = (nowMs: number) => or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, nowMs))

/**
 * An upload may have started the delivery over under another id since the message was sent. The kinds complete the
 * unique index; without them SQLite would read all pending deliveries of the tenant.
 */
export const isNamedBy = ({ tenantId, garmentUuid, deliveryId }: DeliveryMessage) =>
  and(
    eq(deliveries.tenantId, tenantId),
    ...(garmentUuid === undefined
      ? [gt(deliveries.dueAt, 0)]
      : [eq(deliveries.garmentUuid, garmentUuid), inArray(deliveries.kind, deliveryKinds)]),
    eq(deliveries.id, deliveryId),
  )

export const isClaimedBy = ({ tenantId, number, claimId }: ClaimedDelivery) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.number, number), eq(deliveries.claimId, claimId))

export const isWebhookEnabled = (db: Database, tenantId: string) =>
  exists(
    db
      .select({ one: sql`1` })
      .from(webhookConfigs)
      .where(and(eq(webhookConfigs.tenantId, tenantId), eq(webhookConfigs.enabled, true))),
  )
