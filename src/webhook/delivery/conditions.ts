import { and, eq, exists, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, webhookConfigs, type deliveryStatuses } from '../../db/schema.ts'
import type { DeliveryMessage } from './message.ts'

export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export type ClaimedDelivery = DeliveryRow & { readonly claimId: string }

/** The columns of a delivery that nobody holds. */
export const unclaimed = { claimId: null, leaseUntil: null, claims: 0 } as const

/** While a lease runs, an attempt is being made. */
export const isUnleased = (nowMs: number) => or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, nowMs))

/** An upload may have started the delivery over under another id since the message was sent. */
export const isNamedBy = ({ tenantId, garmentUuid, deliveryId }: DeliveryMessage) =>
  and(
    eq(deliveries.tenantId, tenantId),
    garmentUuid === undefined ? eq(deliveries.status, 'pending') : eq(deliveries.garmentUuid, garmentUuid),
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
