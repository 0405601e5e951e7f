import { z } from 'zod'
import { and, eq, isNull, lte, notInArray, or, sql, type SQL } from 'drizzle-orm'
import { type Database, hasRow } from '../platform/db/database.ts'
import { configEndpointId, deliveries, type deliveryStatuses, webhookEndpoints } from '../platform/db/schema.ts'
import { requestIdOfMessage } from '../platform/queue/settle.ts'
import type { DeliveryKind } from './catalogue.ts'

/** Messages contain only ids. Each attempt reads everything else from the database. */
export const deliveryMessage = z.object({
  tenantId: z.string(),
  /** Changes when the delivery starts over, so that a message about the former event does nothing. */
  deliveryId: z.string(),
  endpointId: z.string(),
  /** The attempt to make, from 1. A message about an attempt that was already made does nothing. */
  attempt: z.int().min(1),
  requestId: requestIdOfMessage,
})

export type DeliveryMessage = z.infer<typeof deliveryMessage>

export const nextMessage = ({
  tenantId,
  id,
  endpointId,
  attemptCount,
}: Pick<DeliveryRow, 'tenantId' | 'id' | 'endpointId' | 'attemptCount'>): DeliveryMessage => ({
  tenantId,
  deliveryId: id,
  endpointId,
  attempt: attemptCount + 1,
})

export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export type ClaimedDelivery = DeliveryRow & { readonly claimId: string }
export type EndpointRow = typeof webhookEndpoints.$inferSelect

export const unclaimed = { claimId: null, leaseUntil: null, claims: 0 } as const

export const isAboutGarment = (tenantId: string, garmentUuid: string) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.garmentUuid, garmentUuid))

export const isToAnyEndpoint = (tenantId: string, garmentUuid: string, kind: DeliveryKind) =>
  and(isAboutGarment(tenantId, garmentUuid), eq(deliveries.kind, kind))

export const isToEndpoint = (
  tenantId: string,
  garmentUuid: string,
  kind: DeliveryKind,
  endpointId = configEndpointId,
) => and(isToAnyEndpoint(tenantId, garmentUuid, kind), eq(deliveries.endpointId, endpointId))

/** Deliveries about deletions and accounts contain their event themselves. */
export const needsGarment = notInArray(deliveries.kind, ['deletion', 'account'])

/** Whether no attempt is running. A run that died has lost its lease. */
export const isUnleased = (nowMs: number) => or(isNull(deliveries.leaseUntil), lte(deliveries.leaseUntil, nowMs))

export const isDelivery = ({ tenantId, id }: Pick<DeliveryRow, 'tenantId' | 'id'>) =>
  and(eq(deliveries.tenantId, tenantId), eq(deliveries.id, id))

export const isClaimedBy = (claimed: ClaimedDelivery) =>
  and(isDelivery(claimed), eq(deliveries.claimId, claimed.claimId))

export const isEndpoint = (tenantId: string, endpointId: string | typeof deliveries.endpointId) =>
  and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.id, endpointId))

const areEnabled = (tenantId: string, which?: SQL) =>
  and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.enabled, true), which)

export const endpointsFor = (db: Database, tenantId: string, event: string) =>
  db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .where(areEnabled(tenantId, sql`instr(${webhookEndpoints.events}, ${`"${event}"`})`))

/** Whether the endpoint is enabled. Without an id, whether any endpoint is. */
export const isEndpointEnabled = (tenantId: string, endpointId?: string | typeof deliveries.endpointId) =>
  hasRow(
    webhookEndpoints,
    areEnabled(tenantId, endpointId === undefined ? undefined : eq(webhookEndpoints.id, endpointId)),
  )

/** A new random UUID in SQL. */
export const randomUuid = sql<string>`lower(
  hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a'
  || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`

/** Maximum number of a tenant's endpoints, including that of `/webhook/config`. */
export const maxEndpoints = 5

export const endedStatuses = ['delivered', 'permanently_failed'] as const
