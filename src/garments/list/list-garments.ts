import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../platform/db/database.ts'
import { cutPage, type PageRequest, parseCursor, type Position } from '../../platform/db/page.ts'
import { facets, garments } from '../../platform/db/schema.ts'
import type { GarmentRow } from '../garment.ts'
import { matches, namedColumns, planScan, scanAll, type Sort, spellings } from './plan-scan.ts'

export interface GarmentFilter extends PageRequest {
  /** `waiting` is queuing or processing. */
  readonly status?: 'waiting' | 'complete' | 'failed' | undefined
  /** A uuid or its beginning, as typed or all in lower or upper case. */
  readonly search?: string | undefined
  readonly brand?: string | undefined
  readonly itemType?: string | undefined
  readonly colour?: string | undefined
  /** Of the upload, ms since the epoch; inclusive. */
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly untilMs?: number | undefined
  /** Only those with a value that a person changed. */
  readonly corrected?: boolean | undefined
  /** Only those with a value in doubt. */
  readonly doubtful?: boolean | undefined
  /** What no index gives for the filter is ignored. */
  readonly sort?: Sort | undefined
}

export const listColumns = {
  uuid: garments.uuid,
  status: garments.status,
  pictureId: garments.pictureId,
  failureReason: garments.failureReason,
  createdAt: garments.createdAt,
  attribute: garments.attribute,
  ...facets,
}

type ListedColumn = Exclude<keyof typeof listColumns, keyof typeof facets>

export type ListedGarment = Pick<GarmentRow, ListedColumn> & {
  readonly [Name in keyof typeof facets]: (typeof facets)[Name]['_']['type']
}

interface ScannedGarment extends ListedGarment {
  /** The time that the list is sorted by. */
  readonly at: number
}

/** How many pages of one filter are scanned for a page that must match the other filters too. */
const scannedPages = 3

/**
 * A tenant's garments, newest first, or in the order of the index that finds them. With one filter, an index scan stops
 * at the limit, so that the rows read do not grow with the table. Further filters apply to a bounded part of that scan:
 * a page may then have fewer garments than the limit, or none, and still have a next page.
 */
export async function listGarments(db: Database, tenantId: string, filter: GarmentFilter) {
  const { isCovered, maxRows } = planScan(filter)
  const limit = Math.min(filter.limit, maxRows ?? filter.limit)
  const scanLimit = isCovered ? limit : limit * scannedPages
  const rows = await db.all<ScannedGarment>(scanQuery(tenantId, { ...filter, limit: scanLimit + 1 }))
  const scanned = cutPage(rows, scanLimit, positionOf)
  const found = isCovered ? scanned.rows : scanned.rows.filter((row) => matchesFilter(row, filter))
  const shown = cutPage(found, limit, positionOf)
  // The next page begins after the last garment that is shown, or that was scanned if all matches are shown.
  return { garments: shown.rows, nextCursor: shown.nextCursor ?? scanned.nextCursor }
}

const positionOf = ({ at, uuid }: ScannedGarment): Position => ({ at, id: uuid })

/** The query of the newest garments, for a batch, which takes queries of the builder only. */
export function newestGarments(db: Database, tenantId: string, limit: number) {
  const fields = Object.fromEntries(Object.keys(listColumns).map((name) => [name, sql`${sql.identifier(name)}`]))
  return db
    .select(fields as { [Name in keyof ListedGarment]: SQL<ListedGarment[Name]> })
    .from(sql`(${scanQuery(tenantId, { limit })})`)
    .orderBy(sql`at DESC, uuid DESC`)
}

/** A scan for a batch, as `newestGarments`, in the order of its index. */
export function batchedScan(db: Database, tenantId: string, filter: GarmentFilter) {
  const names = [...Object.keys(listColumns), 'at']
  const fields = Object.fromEntries(names.map((name) => [name, sql`${sql.identifier(name)}`]))
  return db
    .select(fields as { [Name in keyof ScannedGarment]: SQL<ScannedGarment[Name]> })
    .from(sql`(${scanQuery(tenantId, filter)})`)
}

function scanQuery(tenantId: string, filter: GarmentFilter): SQL {
  const position = parseCursor(filter.cursor)
  const { scans, orderBy } = planScan(filter, position && { ...position, tenantId })
  const rows = scanAll(tenantId, scans, ({ sortTime }) => sql`${namedColumns(listColumns)}, ${sortTime} AS at`)
  return sql`${rows} ORDER BY ${orderBy} LIMIT ${filter.limit}`
}

/** Whether a garment matches the parts of a filter that its scan does not cover. */
export function matchesFilter(row: ListedGarment, filter: Omit<GarmentFilter, 'limit'>): boolean {
  const { status, search, brand, itemType, colour, fromMs, untilMs, corrected, doubtful } = filter
  const isWaiting = row.status === 'queuing' || row.status === 'processing'
  return (
    (status === undefined || (status === 'waiting' ? isWaiting : row.status === status)) &&
    (search === undefined || spellings(search).some((start) => row.uuid.startsWith(start))) &&
    (brand === undefined || row.brand === brand) &&
    (itemType === undefined || row.itemType === itemType) &&
    (colour === undefined || row.colour === colour) &&
    (fromMs === undefined || row.createdAt >= fromMs) &&
    (untilMs === undefined || row.createdAt < untilMs) &&
    (!corrected || row.corrected === 1) &&
    (!doubtful || row.doubt > 0)
  )
}

/** Entries of an index that are read for a total. */
export const maxCounted = 10_000

export interface GarmentCount {
  readonly count: number
  /** Whether all candidates were read. */
  readonly isAll: boolean
}

/**
 * How many garments a filter finds. If no index covers it, the row of each entry is read too, so only half as many
 * entries are read.
 */
export async function countGarments(
  db: Database,
  tenantId: string,
  filter: Omit<GarmentFilter, 'limit'>,
): Promise<GarmentCount> {
  const { scans, isCovered } = planScan({ ...filter, limit: 1 })
  const limit = isCovered ? maxCounted : maxCounted / 2
  const rows = scanAll(tenantId, scans, () => sql`${isCovered ? sql`1` : matches(filter)} AS is_found`)
  const [row] = await db.all<{ looked: number; found: number | null }>(sql`
    SELECT count(*) AS looked, sum(is_found) AS found FROM (${rows} LIMIT ${limit})`)
  return { count: row?.found ?? 0, isAll: (row?.looked ?? 0) < limit }
}

/** Garments that are read to find a neighbour that matches a filter without an index. */
const maxLookedAt = 10

export type Side = 'previous' | 'next'

/**
 * The uuid of the garment before or after one in a list, as a subquery; null if there is none, or none near enough in a
 * list that no index covers. In a search, of the garments whose uuid begins with it.
 */
export function neighbour(
  side: Side,
  tenantId: string,
  uuid: string,
  filter: Omit<GarmentFilter, 'limit'>,
): SQL<string | null> {
  const at = sql`(
    SELECT iif(ended_at IS NULL, due_at, created_at) FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid = ${uuid})`
  const last = { at, id: uuid, tenantId }
  const { scans, orderBy, isCovered } = planScan({ ...filter, limit: 1 }, last, side === 'previous')
  const isFound = isCovered ? sql`1` : matches(filter)
  const rows = scanAll(
    tenantId,
    scans,
    ({ sortTime }) => sql`${garments.uuid}, ${sortTime} AS at, ${isFound} AS is_found, ${namedColumns(facets)}`,
  )
  const limit = isCovered ? 1 : maxLookedAt
  return sql`(
    SELECT uuid FROM (${rows} ORDER BY ${orderBy} LIMIT ${limit})
    WHERE is_found LIMIT 1)`
}
