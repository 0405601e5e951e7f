import { z } from 'zod'
import { and, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { type Database, hasRow, selectValues } from '../platform/db/database.ts'
import {
  deliveries,
  deliveryAttempts,
  type deliveryStatuses,
  firstEndpoint,
  webhookEndpoints,
} from '../platform/db/schema.ts'
import { requestIdOfMessage } from '../platform/queue/settle.ts'
import { type DeliveryKind, deliveryKinds } from './catalogue.ts'

/** Ids only: everything else is read from the database at the time of the attempt. */
export const deliveryMessage = z.object({
  tenantId: z.string(),
  garmentUuid: z.string(),
  deliveryId: z.string(),
  endpoint: z.string(),
  /** The attempt to make, from 1. A message of an attempt that was already made does nothing. */
  attempt: z.int().min(1),
  /** Whether the start of the delivery has claimed it for this attempt. Only of messages that exist once. */
  isClaimed: z.boolean().optional(),
  requestId: requestIdOfMessage,
})

export type DeliveryMessage = z.infer<typeof deliveryMessage>

/** The message of a delivery's next attempt. */
export const nextMessage = ({
  tenantId,
  garmentUuid,
  id,
  endpoint,
  attemptCount,
}: Pick<DeliveryRow, 'tenantId' | 'garmentUuid' | 'id' | 'endpoint' | 'attemptCount'>): DeliveryMessage => ({
  tenantId,
  garmentUuid,
  deliveryId: id,
  endpoint,
  attempt: attemptCount + 1,
})

export type DeliveryRow = typeof deliveries.$inferSelect
export type DeliveryStatus = (typeof deliveryStatuses)[number]
export type ClaimedDelivery = DeliveryRow & { readonly claimId: string }

/** The columns of a delivery without a claim. */
export const unclaimed = { claimId: null, leaseUntil: null, claims: 0 } as const

/** Identifies a delivery among those of its garment. */
const keyOf = (kind: DeliveryKind, endpoint: string) => (endpoint === firstEndpoint ? kind : `${kind} ${endpoint}`)

export const kindOf = ({ deliveryKey }: Pick<DeliveryRow, 'deliveryKey'>): DeliveryKind =>
  deliveryKinds.find((kind) => deliveryKey.startsWith(kind)) ?? 'tagging'

export const isGarment = (tenantId: string, garmentUuid: string) =>
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
const areEnabled = (tenantId: string, which?: SQL) =>
  and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.enabled, true), which)

export const enabledEndpoints = (db: Database, tenantId: string, which: SQL) =>
  db.select({ endpoint: webhookEndpoints.endpoint }).from(webhookEndpoints).where(areEnabled(tenantId, which))

/** Whether there is an endpoint of this id. A deleted one has no address. */
export const isEndpointKnown = (tenantId: string, endpoint: string) =>
  hasRow(webhookEndpoints, and(isEndpoint({ tenantId, endpoint }), ne(webhookEndpoints.url, '')))

/** Whether an endpoint is enabled; of all together, whether any is. */
export const isEndpointEnabled = (tenantId: string, endpoint?: string | typeof deliveries.endpoint) =>
  hasRow(
    webhookEndpoints,
    areEnabled(tenantId, endpoint === undefined ? undefined : eq(webhookEndpoints.endpoint, endpoint)),
  )

/** The column's parts, by their place. */
const part = (place: number) => sql`${deliveries.firstAttempt} ->> ${sql.raw(String(place))}`

export const hasFirstAttempt = isNotNull(deliveries.firstAttempt)

/** What a delivery keeps about its first attempt. */
export const firstAttempt = { at: part(0), durationMs: part(1), responseStatus: part(2), responseBody: part(3) }

/** Whether the row of the delivery keeps an attempt that succeeds. */
export const isKeptInRow = ({ redeliveredFrom }: Pick<DeliveryRow, 'redeliveredFrom'>, attempt: number, ok: boolean) =>
  ok && attempt === 1 && redeliveredFrom === null

/** The rows of attempts of a tenant's deliveries that `which` selects. */
export function areAttemptsOf(db: Database, tenantId: string, which: SQL | undefined) {
  const ids = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), which))
  return and(eq(deliveryAttempts.tenantId, tenantId), inArray(deliveryAttempts.deliveryId, ids))
}

/** The attempts of a tenant's deliveries that `which` selects, wherever they are stored, as a table of a query. */
export function attemptsOf(db: Database, tenantId: string, which: SQL | undefined) {
  const first = {
    tenantId: sql`${deliveries.tenantId}`,
    deliveryId: sql`${deliveries.id}`,
    attempt: 1,
    ...firstAttempt,
    error: '',
    trigger: 'automatic',
  } as const
  return unionAll(
    db
      .select()
      .from(deliveryAttempts)
      .where(areAttemptsOf(db, tenantId, which)),
    db
      .select(selectValues(deliveryAttempts, first))
      .from(deliveries)
      .where(and(eq(deliveries.tenantId, tenantId), which, hasFirstAttempt)),
  ).as('attempts')
}

/** Endpoints of a tenant, the first one included. */
export const maxEndpoints = 5

export const endedStatuses = ['delivered', 'permanently_failed'] as const

export function isEndpoint({
  tenantId,
  endpoint,
}: Pick<typeof webhookEndpoints.$inferSelect, 'tenantId' | 'endpoint'>) {
  return and(eq(webhookEndpoints.tenantId, tenantId), eq(webhookEndpoints.endpoint, endpoint))
}
