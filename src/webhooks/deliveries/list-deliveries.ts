import { and, asc, desc, eq, getTableColumns, gt, gte, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core'
import { ApiError } from '../../platform/http/errors.ts'
import { type Database, runBatch } from '../../platform/db/database.ts'
import {
  cursorOf,
  cutPage,
  newerThan,
  olderThan,
  type PageRequest,
  parseCursor,
  type Position,
} from '../../platform/db/page.ts'
import { deliveries, type deliveryAttempts, firstEndpoint, webhookEndpoints } from '../../platform/db/schema.ts'
import {
  attemptsOf,
  type DeliveryRow,
  type DeliveryStatus,
  isOfGarment,
  isToAnyEndpoint,
  isEndpoint,
} from '../../events/delivery.ts'
import type { DeliveryKind } from '../../events/catalogue.ts'
import { findConfigRow } from '../endpoints/endpoint.ts'

export interface DeliveryFilter extends PageRequest {
  readonly status?: DeliveryStatus | undefined
  readonly endpoint?: string | undefined
  /** When they were created, `untilMs` exclusive. With either, pending ones are listed only by their status. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
}

type ListedDelivery = DeliveryRow & { readonly at: number }

/**
 * The queries of a page of a tenant's deliveries, for a batch; cut their rows by `cutDeliveries`. Pending deliveries
 * come first, those due last at the top, then all others, newest first. The queries merge index scans, so the rows read
 * do not grow with the table. A page of one endpoint may be short, or empty, and still have a next one.
 */
export function deliveryQueries(db: Database, tenantId: string, filter: DeliveryFilter) {
  const { status, endpoint, fromMs, untilMs, limit } = filter
  const position = parseCursor(filter.cursor)
  const ofTenant = eq(deliveries.tenantId, tenantId)
  const walk = (key: SQLiteColumn, which: SQL | undefined) =>
    db
      .select({ ...getTableColumns(deliveries), at: sql<number>`${key}`.as('at') })
      .from(deliveries)
      .where(which)
  const isEnded = (each: DeliveryStatus) =>
    and(
      ofTenant,
      isNull(deliveries.dueAt),
      eq(deliveries.status, each),
      fromMs === undefined ? undefined : gte(deliveries.createdAt, fromMs),
      untilMs === undefined ? undefined : lt(deliveries.createdAt, untilMs),
      position && olderThan(deliveries.createdAt, deliveries.id, position),
    )
  const ended = (each: DeliveryStatus) =>
    walk(deliveries.createdAt, endpoint === undefined ? isEnded(each) : isAmongLatest(isEnded(each), endpoint))
  const isDue = (to: string) =>
    and(
      ofTenant,
      eq(deliveries.endpoint, to),
      gt(deliveries.dueAt, 0),
      position && olderThan(deliveries.dueAt, deliveries.id, position),
    )
  // The index has no order across endpoints. The first endpoint's rows are scanned; the latest of the others, which few
  // tenants have, are looked up.
  const toOthers =
    endpoint === undefined ? isAmongLatestToOthers(tenantId, limit + 1, position) : sql`${deliveries.number} IS NULL`
  const pending = unionAll(walk(deliveries.dueAt, isDue(endpoint ?? firstEndpoint)), walk(deliveries.dueAt, toOthers))
  const [delivered, failed] = [ended('delivered'), ended('permanently_failed')]
  const everyEnded = fromMs === undefined && untilMs === undefined ? undefined : unionAll(delivered, failed)
  const walks =
    status === undefined
      ? (everyEnded ?? pending.unionAll(delivered).unionAll(failed))
      : status === 'pending'
        ? pending
        : ended(status)
  const scanned = (status === undefined ? endedStatuses : [status]).map(isEnded)
  return {
    rows: walks.orderBy(sql`at DESC, id DESC`).limit(limit + 1),
    // The positions at which scans have stopped early.
    ends: db
      .select({ at: sql<number>`at`, id: sql<string>`id` })
      .from(sql`(${sql.join(endpoint === undefined ? [noEnd] : scanned.map(endOf), sql` UNION ALL `)})`),
  }
}

const endedStatuses = ['delivered', 'permanently_failed'] as const

/** Ended deliveries have no index by endpoint. Those of one endpoint are searched among this many of each status. */
const maxScanned = 1000

const scan = (columns: SQL, which: SQL | undefined, limit: SQL) => sql`
  SELECT ${columns} FROM ${deliveries} INDEXED BY deliveries_by_status WHERE ${which}
  ORDER BY created_at DESC, id DESC LIMIT ${limit}`

const isAmongLatest = (which: SQL | undefined, endpoint: string) => sql`${deliveries.number} IN (
  SELECT number FROM (${scan(sql`number, endpoint`, which, sql`${maxScanned}`)}) WHERE endpoint = ${endpoint})`

const endOf = (which: SQL | undefined) =>
  sql`SELECT * FROM (${scan(sql`created_at AS at, id`, which, sql`1 OFFSET ${maxScanned - 1}`)})`

const noEnd = sql`SELECT 0 AS at, '' AS id WHERE false`

/** The page of `rows`. Beyond the latest of `ends` some may be missing, so the next page begins there. */
export function cutDeliveries(rows: readonly ListedDelivery[], ends: readonly Position[], limit: number) {
  const [end] = [...ends].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
  const isComplete = ({ at, id }: Position) => end === undefined || at > end.at || (at === end.at && id >= end.id)
  const page = cutPage(rows.filter(isComplete), limit, ({ at, id }) => ({ at, id }))
  return { deliveries: page.rows, nextCursor: page.nextCursor ?? (end === undefined ? null : cursorOf(end)) }
}

/** Those pending deliveries to each further endpoint that are due last. */
const isAmongLatestToOthers = (tenantId: string, limit: number, position: Position | undefined) =>
  // The plus keeps SQLite from reading all of the tenant's deliveries instead.
  sql`+${deliveries.tenantId} = ${tenantId} AND ${deliveries.number} IN (
  SELECT shown.number FROM ${webhookEndpoints} AS receiver CROSS JOIN ${deliveries} AS shown
  WHERE receiver.tenant_id = ${tenantId} AND receiver.endpoint <> ${firstEndpoint} AND shown.number IN (
    SELECT number FROM ${deliveries} AS waiting INDEXED BY deliveries_due
    WHERE waiting.tenant_id = ${tenantId} AND waiting.endpoint = receiver.endpoint AND waiting.due_at > 0
      ${position === undefined ? sql`` : sql`AND (waiting.due_at, waiting.id) < (${position.at}, ${position.id})`}
    ORDER BY waiting.due_at DESC, waiting.id DESC LIMIT ${limit}
  )
)`

/** The delivery of a garment. Throws 404 if it has none; another tenant's gives the same answer. */
export async function getDelivery(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  kind: DeliveryKind = 'tagging',
  endpoint = firstEndpoint,
): Promise<DeliveryRow> {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(isOfGarment(tenantId, garmentUuid, kind, endpoint))
  if (row === undefined) throw new ApiError('delivery_not_found')
  return row
}

/**
 * The delivery of a garment's tagging to one endpoint, and those to the others. Throws 404 for a garment without
 * one, and for an endpoint that does not exist.
 */
export async function getDeliveryToEach(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  endpoint = firstEndpoint,
): Promise<{ readonly delivery: DeliveryRow; readonly others: DeliveryRow[] }> {
  const rows = await db
    .select()
    .from(deliveries)
    .where(isToAnyEndpoint(tenantId, garmentUuid, 'tagging'))
  const delivery = rows.find((row) => row.endpoint === endpoint)
  if (delivery === undefined) {
    // A tenant has a first endpoint even before it is configured.
    const isKnown = endpoint === firstEndpoint || (await findConfigRow(db, tenantId, endpoint)) !== undefined
    throw isKnown ? new ApiError('delivery_not_found') : new ApiError('endpoint_not_found')
  }
  return { delivery, others: rows.filter((row) => row !== delivery) }
}

export type AttemptRow = typeof deliveryAttempts.$inferSelect

/** The attempts of a garment's delivery, oldest first. Throws 404 without a delivery. */
export async function listAttempts(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  page: PageRequest,
  endpoint = firstEndpoint,
) {
  await getDelivery(db, tenantId, garmentUuid, 'tagging', endpoint)
  const isDelivery = isOfGarment(tenantId, garmentUuid, 'tagging', endpoint)
  return cutAttempts(await attemptsQuery(db, tenantId, isDelivery, page, 'oldest'), page.limit)
}

/** The query of a delivery's attempts, for a batch; cut its rows by `cutAttempts`. */
function attemptsQuery(
  db: Database,
  tenantId: string,
  isDelivery: SQL | undefined,
  page: PageRequest,
  first: 'oldest' | 'newest',
) {
  const position = parseCursor(page.cursor)
  const attempts = attemptsOf(db, tenantId, isDelivery)
  const [order, isAfter] = first === 'oldest' ? [asc, newerThan] : [desc, olderThan]
  return db
    .select()
    .from(attempts)
    .where(and(eq(attempts.tenantId, tenantId), position && isAfter(attempts.at, attempts.attempt, position)))
    .orderBy(order(attempts.at), order(attempts.attempt))
    .limit(page.limit + 1)
}

const cutAttempts = (rows: readonly AttemptRow[], limit: number) =>
  cutPage(rows, limit, ({ at, attempt }) => ({ at, id: String(attempt) }))

/**
 * The delivery of a garment, a page of its attempts (newest first) and whether its endpoint is enabled, in one round
 * trip; null for an unknown uuid or another tenant's.
 */
export async function findDeliveryHistory(
  db: Database,
  tenantId: string,
  garmentUuid: string,
  page: PageRequest,
  kind: DeliveryKind = 'tagging',
  endpoint = firstEndpoint,
) {
  const isDelivery = isOfGarment(tenantId, garmentUuid, kind, endpoint)
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
      .where(isEndpoint({ tenantId, endpoint })),
  })
  if (delivery === undefined) return null
  const { rows, nextCursor } = cutAttempts(attempts, page.limit)
  return { delivery, attempts: rows, nextCursor, isWebhookOn: config?.enabled ?? false }
}
