import { and, eq, sql, type SQL } from 'drizzle-orm'
import { type Database, inValues } from '../../platform/db/database.ts'
import type { PageRequest } from '../../platform/db/page.ts'
import { garments } from '../../platform/db/schema.ts'
import { invalidQuery } from '../../platform/http/errors.ts'
import type { Stage } from '../own-values.ts'
import { type GarmentResultRow, resultColumns, toGarmentResponse } from '../garment.ts'
import {
  isSortedInStep,
  listOrder,
  scanCounts,
  scanMatches,
  scanStep,
  sortOf,
  type Place,
  type ScanRequest,
} from './scans.ts'

/**
 * `doubt` lists garments in doubt only, those with most first. `title` and `price` sort what one step of a search
 * finds.
 */
export const sorts = ['newest', 'oldest', 'doubt', 'title', 'price'] as const

export type Sort = (typeof sorts)[number]

export interface GarmentFilter extends PageRequest {
  /** `waiting` is queuing or processing. */
  readonly status?: GarmentResultRow['status'] | 'waiting' | undefined
  /** Words, as `parseSearch` reads them. */
  readonly search?: string | undefined
  readonly brand?: string | undefined
  readonly itemType?: string | undefined
  readonly colour?: string | undefined
  readonly size?: string | undefined
  readonly gender?: string | undefined
  /** Inclusive, as `maxPrice` is. */
  readonly minPrice?: number | undefined
  readonly maxPrice?: number | undefined
  readonly stage?: Stage | undefined
  /** Only complete ones for which no price is known. */
  readonly unpriced?: boolean | undefined
  /** When the garment was uploaded, ms since the epoch; inclusive. */
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly untilMs?: number | undefined
  /** Only those with a value that a person changed. */
  readonly corrected?: boolean | undefined
  /** Only those with a value in doubt. */
  readonly doubtful?: boolean | undefined
  readonly sort?: Sort | undefined
}

/** Entries of an index that one page looks at. */
export const entriesInStep = 10_000

/** A doubtful garment's row is read with its entry. */
const doubtfulInStep = 2000

/** For a total and a neighbour, which nobody asks to go on. */
export const maxCounted = 10_000
const entriesForNeighbour = 1000

const stepOf = (filter: Pick<GarmentFilter, 'sort' | 'doubtful'>) =>
  sortOf(filter) === 'doubt' ? doubtfulInStep : entriesInStep

const listColumns = { ...resultColumns, createdAt: garments.createdAt, doubt: garments.doubt }

type ListedRow = GarmentResultRow & {
  readonly createdAt: number
  readonly doubt: number
  /** As `scanMatches` names them. */
  readonly at: number
  readonly isMatch: number
  readonly stops: number
}

export type ListedGarment = ReturnType<typeof toListed>

/** With the values after correction; empty without a result. */
export function toListed(garment: ListedRow) {
  const tag = toGarmentResponse(garment, undefined).tag ?? {}
  const value = (name: string) => (typeof tag[name] === 'string' ? tag[name] : '')
  return { ...garment, tag, itemType: value('Item Type'), colour: value('Colour'), brand: value('Brand') }
}

/** Those of these garments that there are, in this order. */
export async function listedGarments(db: Database, tenantId: string, uuids: readonly string[]) {
  const rows = await db
    .select({ ...listColumns, at: garments.createdAt, isMatch: sql<number>`1`, stops: sql<number>`0` })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), inValues(garments.uuid, uuids)))
  const found = new Map(rows.map((row) => [row.uuid, toListed(row)]))
  return uuids.flatMap((uuid) => found.get(uuid) ?? [])
}

/**
 * A page of a tenant's garments, the newest first unless it is sorted otherwise. An index gives those of a status or a
 * time. For anything else it looks at a bounded number of entries: a page may then have fewer garments than the limit,
 * or none, and still have a next page.
 */
export async function listGarments(db: Database, tenantId: string, { limit, cursor, ...filter }: GarmentFilter) {
  const { skip, last } = parseCursor(cursor)
  const request = { tenantId, filter, last, step: stepOf(filter) }
  if (isSortedInStep(sortOf(filter))) return await listSorted(db, request, limit, skip)
  const rows = await db.all<ListedRow>(withGarments({ ...request, limit: limit + 1 }, sql`LIMIT ${limit + 3}`))
  // Beyond the first scan that has stopped, the others have found more than belongs to this page.
  const end = rows.findIndex(({ stops }) => stops === 1)
  const known = end === -1 ? rows : rows.slice(0, end + 1)
  const found = known.filter(({ isMatch }) => isMatch === 1)
  const shown = found.slice(0, limit)
  const next = found.length > limit ? shown.at(-1) : rows[end]
  return { garments: shown.map(toListed), nextCursor: next === undefined ? null : cursorOf(next) }
}

type KnownPlace = Place & { readonly doubt: number; readonly at: number }

type SortedRequest = Omit<ScanRequest, 'limit' | 'last'> & { readonly last: KnownPlace | undefined }

/** What a step finds, in an order of its own; then the next step. */
async function listSorted(db: Database, request: SortedRequest, limit: number, skip: number) {
  const all = { ...request, limit: request.step }
  const { matches, ends: endsQuery } = scanStep(all)
  const [found, ends] = await Promise.all([
    db.all<ListedRow>(withGarments(all, sql`LIMIT ${limit + 1} OFFSET ${skip}`, matches)),
    db.all<Pick<ListedRow, 'doubt' | 'at' | 'uuid'>>(sql`SELECT doubt, at, uuid FROM (${endsQuery})`),
  ])
  const shown = found.slice(0, limit)
  const [end] = ends
  const rest = { ...(request.last ?? newest), doubt: skip + limit }
  const nextCursor = found.length > limit ? cursorOf(rest) : end === undefined ? null : cursorOf(end)
  return { garments: shown.map(toListed), nextCursor }
}

/** Before all others of a list. */
const newest: KnownPlace = { doubt: 0, at: 999_999_999_999_999, uuid: '~' }

/** The query of the newest garments, for a batch, which takes queries of the builder only. */
export function newestGarments(db: Database, tenantId: string, limit: number) {
  const names = [...Object.keys(listColumns), 'at', 'isMatch', 'stops']
  const fields = Object.fromEntries(names.map((name) => [name, sql`${sql.identifier(name)}`]))
  const rows = withGarments({ tenantId, filter: {}, step: limit, limit }, sql`LIMIT ${limit}`)
  return db.select(fields as { [Name in keyof ListedRow]: SQL<ListedRow[Name]> }).from(sql`(${rows})`)
}

/** The rows of what a list's scans find, in its order. */
function withGarments(request: ScanRequest, cut: SQL, source = scanMatches(request)): SQL {
  const columns = Object.entries(listColumns).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`)
  return sql`
    SELECT ${sql.join(columns, sql`, `)}, found.at, found.isMatch, found.stops
    FROM (${source} ORDER BY ${listOrder(request)} ${cut}) AS found
      CROSS JOIN ${garments} ON ${garments}.rowid = found.garment`
}

export type Side = 'previous' | 'next'

/**
 * The query of the uuid of the garment before or after one in a list, for a batch; without a row if there is none, or
 * none near enough, and in a search.
 */
export function neighbourQuery(
  db: Database,
  { tenantId, uuid, side, filter }: { tenantId: string; uuid: string; side: Side; filter: ScanRequest['filter'] },
) {
  const value = (expression: SQL) =>
    sql`(SELECT ${expression} FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid = ${uuid})`
  const last = {
    doubt: value(sql`doubt`),
    at: value(sql`iif(ended_at IS NULL, coalesce(queued_at, due_at), created_at)`),
    uuid,
  }
  const request = { tenantId, filter, last, isBackwards: side === 'previous', step: entriesForNeighbour, limit: 1 }
  const isSearch = filter.search !== undefined || isSortedInStep(sortOf(filter))
  return db
    .select({ uuid: sql<string>`uuid` })
    .from(sql`(${scanMatches(request)} ORDER BY ${listOrder(request)} LIMIT 1)`)
    .where(isSearch ? sql`0` : sql`isMatch`)
}

export type GarmentCount = Awaited<ReturnType<typeof countGarments>>

/**
 * How many garments a filter finds, of as many entries as a page would look at, or `maxCounted`; `isAll` says whether
 * all candidates were looked at.
 */
export async function countGarments(db: Database, tenantId: string, filter: ScanRequest['filter']) {
  const scans = await db.all<{ found: number; isCut: number }>(
    scanCounts({ tenantId, filter, step: stepOf(filter), limit: maxCounted }),
  )
  const count = scans.reduce((sum, { found }) => sum + found, 0)
  return { count: Math.min(count, maxCounted), isAll: count < maxCounted && scans.every(({ isCut }) => isCut === 0) }
}

/**
 * The place at which a page begins: `time_uuid`, after `doubt~` in a list by doubt, or after the number of garments
 * that earlier pages have shown of a step. Throws 400 if it cannot be one of ours.
 */
function parseCursor(cursor: string | undefined): { skip: number; last: KnownPlace | undefined } {
  if (cursor === undefined) return { skip: 0, last: undefined }
  const [, before = '0', at, uuid] = /^(?:(\d{1,9}(?:\.\d{1,9})?)~)?(\d{1,15})_(.{1,128})$/su.exec(cursor) ?? []
  if (at === undefined || uuid === undefined) throw invalidQuery(['cursor: must be the cursor of an earlier page'])
  return { skip: Math.floor(Number(before)), last: { doubt: Number(before), at: Number(at), uuid } }
}

const cursorOf = ({ doubt, at, uuid }: KnownPlace) => (doubt === 0 ? `${at}_${uuid}` : `${doubt}~${at}_${uuid}`)
