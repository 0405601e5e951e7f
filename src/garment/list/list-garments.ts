import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { cutPage, parseCursor, type PageRequest, type Place } from '../../db/page.ts'
import { garments } from '../../db/schema.ts'
import { garmentWalk } from './garment-walk.ts'
import type { GarmentRow } from '../to-garment-response.ts'

export interface GarmentFilter extends PageRequest {
  /** `waiting` is queuing or processing. */
  readonly status?: 'waiting' | 'complete' | 'failed' | undefined
  /** A uuid or its beginning. */
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
}

export interface ListedGarment {
  readonly uuid: string
  readonly status: GarmentRow['status']
  readonly pictureId: string
  readonly failureReason: string
  readonly createdAt: number
  /** These after correction; empty where the garment has none. */
  readonly item_type: string
  readonly colour: string
  readonly brand: string
  /** 1 if a person changed a value. */
  readonly corrected: number
  readonly doubt: number
}

interface WalkedGarment extends ListedGarment {
  /** The time by which the garment stands in the list. */
  readonly at: number
}

const columns =
  sql.raw(`uuid, status, picture_id AS pictureId, failure_reason AS failureReason, created_at AS createdAt,
  item_type, colour, brand, corrected, doubt`)

/** How many garments of one filter are looked at for a page that the other filters must let through too. */
const scannedPages = 3

/**
 * A tenant's garments, newest first, or in the order of the index that finds them. One filter walks an index and stops at
 * the limit, so that the rows read do not grow with the table; further filters look at a bounded part of that walk, and
 * the page may then have fewer garments than the limit, or none, and still go on.
 */
export async function listGarments(db: Database, tenantId: string, filter: GarmentFilter) {
  const { isWhole, maxShown } = garmentWalk(filter)
  const limit = Math.min(filter.limit, maxShown ?? filter.limit)
  const scanned = isWhole ? limit : limit * scannedPages
  const rows = await walkGarments(db, tenantId, { ...filter, limit: scanned + 1 })
  const walked = cutPage(rows, scanned, placeOf)
  const found = isWhole ? walked.rows : walked.rows.filter((row) => matches(row, filter))
  const shown = cutPage(found, limit, placeOf)
  // After the last one that is shown, or where all that was found is shown, after the last one that was looked at.
  return { garments: shown.rows, nextCursor: shown.nextCursor ?? walked.nextCursor }
}

const placeOf = ({ at, uuid }: WalkedGarment): Place => ({ at, id: uuid })

/** The newest garments, for callers that read them in one batch with others, which takes queries of the builder only. */
export function newestGarments(db: Database, tenantId: string, limit: number) {
  const names = [
    'uuid',
    'status',
    'pictureId',
    'failureReason',
    'createdAt',
    'item_type',
    'colour',
    'brand',
    'corrected',
    'doubt',
  ]
  const fields = Object.fromEntries(names.map((name) => [name, sql.raw(name)]))
  return db
    .select(fields as { [Name in keyof ListedGarment]: SQL<ListedGarment[Name]> })
    .from(sql`(${walkQuery(tenantId, { limit })})`)
    .orderBy(sql`at DESC, uuid DESC`)
}

const walkGarments = async (db: Database, tenantId: string, filter: GarmentFilter) =>
  await db.all<WalkedGarment>(walkQuery(tenantId, filter))

function walkQuery(tenantId: string, filter: GarmentFilter): SQL {
  const after = parseCursor(filter.cursor)
  const { branches, order } = garmentWalk(filter, after && { ...after, tenantId })
  const selects = branches.map(
    ({ index, key, where }) => sql`
      SELECT ${columns}, ${key} AS at FROM ${garments} ${index === null ? sql`` : sql`INDEXED BY ${sql.identifier(index)}`}
      WHERE tenant_id = ${tenantId} AND ${where}`,
  )
  return sql`${sql.join(selects, sql` UNION ALL `)} ORDER BY ${order} LIMIT ${filter.limit}`
}

function matches(row: WalkedGarment, filter: GarmentFilter): boolean {
  const { status, search, brand, itemType, colour, fromMs, untilMs, corrected, doubtful } = filter
  const isWaiting = row.status === 'queuing' || row.status === 'processing'
  return (
    (status === undefined || (status === 'waiting' ? isWaiting : row.status === status)) &&
    (search === undefined || row.uuid.startsWith(search)) &&
    (brand === undefined || row.brand === brand) &&
    (itemType === undefined || row.item_type === itemType) &&
    (colour === undefined || row.colour === colour) &&
    (fromMs === undefined || row.createdAt >= fromMs) &&
    (untilMs === undefined || row.createdAt < untilMs) &&
    (!corrected || row.corrected === 1) &&
    (!doubtful || row.doubt > 0)
  )
}
