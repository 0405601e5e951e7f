import { shownSize } from '../label.ts'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Database, inValues, namedColumns } from '../../platform/db/database.ts'
import type { PageRequest } from '../../platform/db/page.ts'
import { garments } from '../../platform/db/schema.ts'
import { invalidQuery } from '../../platform/http/errors.ts'
import type { Stage } from '../listing-values.ts'
import { type GarmentResultRow, resultColumns, showsSeveral, toGarmentResponse } from '../garment.ts'
import { correctTypos, unmatchedWords } from './correct-search.ts'
import { newestTexts } from './count-values.ts'
import {
  entriesFor,
  isSortedInStep,
  listOrder,
  scanCounts,
  scanMatches,
  scanStep,
  sortOf,
  type Place,
  type ScanRequest,
  textTerms,
} from './scans.ts'

/** `doubt` lists only doubtful garments. `title` and `price` sort within one step, because no index has their order. */
export const sorts = ['newest', 'oldest', 'doubt', 'title', 'price'] as const

export type Sort = (typeof sorts)[number]

export interface GarmentFilter extends PageRequest {
  /** `waiting` means queuing or processing. */
  readonly status?: GarmentResultRow['status'] | 'waiting' | undefined
  readonly search?: string | undefined
  readonly brand?: string | undefined
  readonly itemType?: string | undefined
  readonly colour?: string | undefined
  readonly size?: string | undefined
  readonly gender?: string | undefined
  readonly minPrice?: number | undefined
  readonly maxPrice?: number | undefined
  readonly stage?: Stage | undefined
  readonly unpriced?: boolean | undefined
  /** Upload time in ms since the epoch, inclusive. */
  readonly fromMs?: number | undefined
  /** Upload time in ms since the epoch, exclusive. */
  readonly untilMs?: number | undefined
  readonly corrected?: boolean | undefined
  readonly doubtful?: boolean | undefined
  readonly sort?: Sort | undefined
}

/** Maximum number of index entries that one page examines. A search of many words examines fewer. */
export const entriesInStep = 10_000

/** Fewer, because the scan by doubt reads the garment's row with each entry. */
const doubtfulInStep = 2000

/** Maximum number of entries that are read for a total, and for the neighbours of a garment. */
export const maxCounted = 10_000
const entriesForNeighbour = 1000

const requestOf = (tenantId: string, filter: ScanRequest['filter']) => {
  const terms = textTerms(filter)
  const step = entriesFor(terms, sortOf(filter) === 'doubt' ? doubtfulInStep : entriesInStep)
  return { tenantId, filter, terms, step }
}

const listColumns = { ...resultColumns, createdAt: garments.createdAt, doubt: garments.doubt }

type GarmentWithDoubt = GarmentResultRow & {
  readonly createdAt: number
  readonly doubt: number
}

/** Also has columns of `scanMatches`. */
type ListedRow = GarmentWithDoubt & {
  readonly at: number
  readonly isMatch: number
  readonly stops: number
}

export type ListedGarment = ReturnType<typeof toListed>

/** Adds the corrected values that lists show; empty without a result. */
export function toListed(garment: GarmentWithDoubt) {
  const response = toGarmentResponse(garment, undefined)
  const tag = response.tag ?? {}
  const value = (name: string) => (typeof tag[name] === 'string' ? tag[name] : '')
  return {
    ...garment,
    tag,
    itemType: value('Item Type'),
    colour: value('Colour'),
    brand: value('Brand'),
    size: shownSize(response),
    showsSeveral: showsSeveral(response),
  }
}

/** Builds the query for a tenant's garments under a condition. `toListed` converts its rows. */
export const listedQuery = (db: Database, tenantId: string, condition: SQL) =>
  db
    .select(listColumns)
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), condition))

/** Keeps the order of the uuids. Skips unknown uuids. */
export async function listedGarments(db: Database, tenantId: string, uuids: readonly string[]) {
  const rows = await listedQuery(db, tenantId, inValues(garments.uuid, uuids))
  const found = new Map(rows.map((row) => [row.uuid, toListed(row)]))
  return uuids.flatMap((uuid) => found.get(uuid) ?? [])
}

/** Separates the corrected search from the rest of a cursor. */
const searchEnd = '::'

/**
 * Lists a page of a tenant's garments, newest first by default. If a search finds nothing, corrects a typo or drops the
 * one word that matches nothing, and searches again. `instead` is that search, or null.
 */
export async function listGarments(db: Database, tenantId: string, filter: GarmentFilter) {
  const { search, cursor } = filter
  const [before, after] = cursor?.includes(searchEnd) ? cursor.split(searchEnd) : []
  if (before !== undefined && after !== undefined)
    return await listInstead(db, tenantId, { ...filter, cursor: after }, decodeSearch(before))
  const page = await listPage(db, tenantId, filter)
  if (search === undefined || cursor !== undefined || page.garments.length > 0) return { ...page, instead: null }
  const instead = await findInstead(db, tenantId, filter, search)
  return instead === null ? { ...page, instead } : await listInstead(db, tenantId, filter, instead)
}

async function listInstead(db: Database, tenantId: string, filter: GarmentFilter, instead: string) {
  const page = await listPage(db, tenantId, { ...filter, search: instead })
  const { nextCursor } = page
  return { ...page, instead, nextCursor: nextCursor && encodeURIComponent(instead) + searchEnd + nextCursor }
}

function decodeSearch(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidQuery(['cursor: must be the cursor of an earlier page'])
  }
}

async function findInstead(db: Database, tenantId: string, filter: GarmentFilter, search: string) {
  const texts = await newestTexts(db, tenantId)
  const finds = async (words: string) =>
    (await listPage(db, tenantId, { ...filter, search: words, limit: 1 })).garments.length > 0
  const corrected = correctTypos(search, texts)
  if (corrected !== null && (await finds(corrected))) return corrected
  const unmatched = unmatchedWords(corrected ?? search, texts)
  const [first, ...others] = unmatched
  if (first === undefined || others.length > 0 || first.rest === '') return null
  // The word may be in an older garment.
  return !(await finds(first.text)) && (await finds(first.rest)) ? first.rest : null
}

/** Examines a bounded number of entries, so a page may have few garments, or none, and still have a next page. */
async function listPage(db: Database, tenantId: string, { limit, cursor, ...filter }: GarmentFilter) {
  const { skip, last } = parseCursor(cursor)
  const request = { ...requestOf(tenantId, filter), last }
  if (isSortedInStep(sortOf(filter))) return await listSorted(db, request, limit, skip)
  const rows = await db.all<ListedRow>(withGarments({ ...request, limit: limit + 1 }, { limit: limit + 3 }))
  // Matches after the first scan that stopped belong to a later page.
  const end = rows.findIndex(({ stops }) => stops === 1)
  const known = end === -1 ? rows : rows.slice(0, end + 1)
  const found = known.filter(({ isMatch }) => isMatch === 1)
  const shown = found.slice(0, limit)
  const next = found.length > limit ? shown.at(-1) : rows[end]
  return { garments: shown.map(toListed), nextCursor: next === undefined ? null : cursorOf(next) }
}

type KnownPlace = Place & { readonly doubt: number; readonly at: number }

type SortedRequest = Omit<ScanRequest, 'limit' | 'last'> & { readonly last: KnownPlace | undefined }

/** Lists the matches of one step in the requested order, then those of the next step. */
async function listSorted(db: Database, request: SortedRequest, limit: number, skip: number) {
  const all = { ...request, limit: request.step }
  const { matches, ends: endsQuery } = scanStep(all)
  const [found, ends] = await Promise.all([
    db.all<ListedRow>(withGarments(all, { limit: limit + 1, offset: skip }, matches)),
    db.all<Pick<ListedRow, 'doubt' | 'at' | 'uuid'>>(endsQuery),
  ])
  const shown = found.slice(0, limit)
  const [end] = ends
  const rest = { ...(request.last ?? newest), doubt: skip + limit }
  const nextCursor = found.length > limit ? cursorOf(rest) : end === undefined ? null : cursorOf(end)
  return { garments: shown.map(toListed), nextCursor }
}

/** Position before the first garment of a list. */
const newest: KnownPlace = { doubt: 0, at: 999_999_999_999_999, uuid: '~' }

/** Selects the first garments among the first `step` entries of a list. `toFirst` converts the rows. */
export function firstGarmentsQuery(db: Database, tenantId: string, { limit, step, ...filter }: FirstRequest) {
  const names = [...Object.keys(listColumns), 'at', 'isMatch', 'stops']
  const fields = Object.fromEntries(names.map((name) => [name, sql`${sql.identifier(name)}`]))
  const rows = withGarments({ tenantId, filter, terms: textTerms(filter), step, limit }, { limit: limit + 1 })
  return db.select(fields as { [Name in keyof ListedRow]: SQL<ListedRow[Name]> }).from(sql`(${rows})`)
}

export const toFirst = (rows: readonly ListedRow[], limit: number): ListedGarment[] =>
  rows
    .filter(({ isMatch }) => isMatch === 1)
    .slice(0, limit)
    .map(toListed)

function withGarments(
  request: ScanRequest,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
  source = scanMatches(request),
): SQL {
  return sql`
    SELECT ${namedColumns(listColumns)}, found.at, found.isMatch, found.stops
    FROM (${source} ORDER BY ${listOrder(request)} LIMIT ${limit} OFFSET ${offset}) AS found
      CROSS JOIN ${garments} ON ${garments}.rowid = found.garment`
}

type FirstRequest = Omit<GarmentFilter, 'cursor'> & Pick<ScanRequest, 'step'>

export type Side = 'previous' | 'next'

/** Selects the uuid of the previous or next garment. No row in a search, or if no neighbour is near enough. */
export function neighbourQuery(
  db: Database,
  { tenantId, uuid, side, filter }: { tenantId: string; uuid: string; side: Side; filter: ScanRequest['filter'] },
) {
  const valueOfGarment = (value: SQL | SQLiteColumn) =>
    db
      .select({ value })
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid)))
  const last = {
    doubt: valueOfGarment(garments.doubt),
    at: valueOfGarment(sql`iif(ended_at IS NULL, coalesce(queued_at, due_at), created_at)`),
    uuid,
  }
  const isSearch = filter.search !== undefined || isSortedInStep(sortOf(filter))
  const terms = isSearch ? [] : textTerms(filter)
  const bounds = { isBackwards: side === 'previous', step: entriesForNeighbour, limit: 1 }
  const request = { tenantId, filter, terms, last, ...bounds }
  return sql<{ uuid: string }>`
    SELECT uuid FROM (${scanMatches(request)} ORDER BY ${listOrder(request)} LIMIT 1)
    WHERE isMatch AND ${isSearch ? 0 : 1}`
}

export type GarmentCount = Awaited<ReturnType<typeof countGarments>>

/** Counts the garments among the entries that a page would examine. `isAll` is true if all were examined. */
export async function countGarments(db: Database, tenantId: string, filter: ScanRequest['filter']) {
  const scans = await db.all<{ found: number; isCut: number }>(
    scanCounts({ ...requestOf(tenantId, filter), limit: maxCounted }),
  )
  const count = scans.reduce((sum, { found }) => sum + found, 0)
  return { count: Math.min(count, maxCounted), isAll: count < maxCounted && scans.every(({ isCut }) => isCut === 0) }
}

/**
 * Parses a cursor `time_uuid`. In lists by doubt, `doubt~` precedes it. In lists sorted within a step, the number of
 * garments already shown precedes it. Throws 400 for any other text.
 */
function parseCursor(cursor: string | undefined): { skip: number; last: KnownPlace | undefined } {
  if (cursor === undefined) return { skip: 0, last: undefined }
  const [, before = '0', at, uuid] = /^(?:(\d{1,9}(?:\.\d{1,9})?)~)?(\d{1,15})_(.{1,128})$/su.exec(cursor) ?? []
  if (at === undefined || uuid === undefined) throw invalidQuery(['cursor: must be the cursor of an earlier page'])
  return { skip: Math.floor(Number(before)), last: { doubt: Number(before), at: Number(at), uuid } }
}

const cursorOf = ({ doubt, at, uuid }: KnownPlace) => (doubt === 0 ? `${at}_${uuid}` : `${doubt}~${at}_${uuid}`)
