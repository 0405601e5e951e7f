import { and, asc, desc, eq, gte, inArray, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { ApiError } from '../../platform/http/errors.ts'
import { type Database, runBatch } from '../../platform/db/database.ts'
import { cursorOf, cutPage, newerThan, olderThan, type PageRequest, parseCursor } from '../../platform/db/page.ts'
import { configEndpointId, deliveries, deliveryAttempts, webhookEndpoints } from '../../platform/db/schema.ts'
import {
  type DeliveryRow,
  type DeliveryStatus,
  isEndpoint,
  isToAnyEndpoint,
  isToEndpoint,
} from '../../events/delivery.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { findEndpointRow } from '../endpoints/endpoint.ts'

export interface DeliveryFilter extends PageRequest {
  readonly status?: DeliveryStatus | undefined
  readonly endpointId?: string | undefined
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
}

/** Number of deliveries that one page reads to find matches of its filter. */
const maxScanned = 1000

/** Selects one row if the tenant has had a successful delivery. */
export const anyDelivered = (db: Database, tenantId: string) =>
  db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), isNull(deliveries.dueAt), eq(deliveries.status, 'delivered')))
    .limit(1)

/** SQLite uses the index `deliveries_undelivered` only for its literal condition. */
export const hasStatus = (status: DeliveryStatus) =>
  and(eq(deliveries.status, status), status === 'delivered' ? undefined : sql`${deliveries.status} <> 'delivered'`)

/**
 * Selects a page of deliveries, newest first, for a batch and `cutDeliveries`. The rows read do not grow with the
 * table. A filtered page may be short or empty and still have a next page.
 */
export function deliveryQueries(db: Database, tenantId: string, filter: DeliveryFilter) {
  const { status, endpointId, fromMs, untilMs, limit } = filter
  const position = parseCursor(filter.cursor)
  const scanned = db
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.tenantId, tenantId),
        status === undefined || status === 'delivered' ? undefined : hasStatus(status),
        fromMs === undefined ? undefined : gte(deliveries.createdAt, fromMs),
        untilMs === undefined ? undefined : lt(deliveries.createdAt, untilMs),
        position && olderThan(deliveries.createdAt, deliveries.id, position),
      ),
    )
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(maxScanned)
    .as('scanned')
  const rows = db
    .select()
    .from(scanned)
    .where(
      and(
        status === undefined ? undefined : eq(scanned.status, status),
        endpointId === undefined ? undefined : eq(scanned.endpointId, endpointId),
      ),
    )
    .limit(limit + 1)
  return {
    rows,
    // The last delivery read, if there may be more. A full page does not need it, and LIMIT 0 reads no row.
    last: sql<NonNullable<Last>>`
      SELECT created_at AS at, id FROM ${scanned}
      LIMIT iif((SELECT count(*) FROM ${rows}) > ${limit}, 0, 1) OFFSET ${maxScanned - 1}`,
  }
}

type Last = { readonly at: number; readonly id: string } | undefined

export function cutDeliveries(rows: readonly DeliveryRow[], last: Last, limit: number) {
  const page = cutPage(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }))
  return { deliveries: page.rows, nextCursor: page.nextCursor ?? (last === undefined ? null : cursorOf(last)) }
}

export async function getDelivery(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  kind: DeliveryKind = 'tagging',
  endpointId = configEndpointId,
): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(isToEndpoint(tenantId, garmentUuid, kind, endpointId))
  if (row === undefined) throw new ApiError('delivery_not_found')
  return row
}

/**
 * Returns the tagging delivery to one endpoint, and the deliveries to other endpoints. Throws 404 without the first.
 */
export async function getDeliveryToEach(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  endpointId = configEndpointId,
): Promise<{ readonly delivery: DeliveryRow; readonly others: DeliveryRow[] }> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(isToAnyEndpoint(tenantId, garmentUuid, 'tagging'))
  const delivery = rows.find((row) => row.endpointId === endpointId)
  if (delivery === undefined) {
    // The endpoint of `/webhook/config` exists even before it is configured.
    const isKnown = endpointId === configEndpointId || (await findEndpointRow(db, tenantId, endpointId)) !== undefined
    throw isKnown ? new ApiError('delivery_not_found') : new ApiError('endpoint_not_found')
  }
  return { delivery, others: rows.filter((row) => row !== delivery) }
}

export type AttemptRow = typeof deliveryAttempts.$inferSelect

export async function listAttempts(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  page: PageRequest,
  endpointId = configEndpointId,
) {
  const { id } = await getDelivery(db, tenantId, garmentUuid, 'tagging', endpointId)
  const isDelivery = eq(deliveries.id, id)
  return cutAttempts(await attemptsQuery(db, tenantId, isDelivery, page, 'oldest'), page.limit)
}

function attemptsQuery(
  db: Database,
  tenantId: string,
  isDelivery: SQL | undefined,
  page: PageRequest,
  first: 'oldest' | 'newest',
) {
  const position = parseCursor(page.cursor)
  const ids = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(eq(deliveries.tenantId, tenantId), isDelivery))
  const [order, isAfter] = first === 'oldest' ? [asc, newerThan] : [desc, olderThan]
  const { at, attempt, deliveryId } = deliveryAttempts
  return db
    .select()
    .from(deliveryAttempts)
    .where(
      and(
        eq(deliveryAttempts.tenantId, tenantId),
        inArray(deliveryId, ids),
        position && isAfter(at, attempt, position),
      ),
    )
    .orderBy(order(at), order(attempt))
    .limit(page.limit + 1)
}

const cutAttempts = (rows: readonly AttemptRow[], limit: number) =>
  cutPage(rows, limit, ({ at, attempt }) => ({ at, id: String(attempt) }))

/** Finds a delivery, a page of its attempts (newest first) and whether its endpoint is enabled. */
export async function findDeliveryHistory(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  page: PageRequest,
  kind: DeliveryKind = 'tagging',
  endpointId = configEndpointId,
) {
  const isDelivery = isToEndpoint(tenantId, garmentUuid, kind, endpointId)
  const {
    delivery: [delivery],
    attempts,
    config: [config],
  } = await runBatch(db, {
    delivery: db.select().from(deliveries).where(isDelivery),
    attempts: attemptsQuery(db, tenantId, isDelivery, page, 'newest'),
    config: db
      .select({ enabled: webhookEndpoints.enabled })
      .from(webhookEndpoints)
      .where(isEndpoint(tenantId, endpointId)),
  })
  if (delivery === undefined) return null
  const { rows, nextCursor } = cutAttempts(attempts, page.limit)
  return { delivery, attempts: rows, nextCursor, isWebhookOn: config?.enabled ?? false }
}
