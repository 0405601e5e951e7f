import { and, asc, desc, eq, gte, isNotNull, isNull, lt, lte, not, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { list } from '../../platform/db/database.ts'
import { garments, isListed } from '../../platform/db/schema.ts'
import { foldWords, type Mark, marked, marks } from './search-words.ts'
import { comparisonsOf, contains, parseSearch, type Term, textHasTerms } from './parse-search.ts'
import { readWearer } from '../../vision/attributes/wearer.ts'
import { isDoubtful } from '../review/doubt.ts'
import { hasTurn, isInBacklog, waitsForRetry } from '../turns.ts'
import type { GarmentFilter, Sort } from './list-garments.ts'

/** A literal condition, because SQLite uses no partial index for parameters. */
export const isFailed = sql`status = 'failed'`

/** A position in a list, after which a page begins. Subqueries if only the garment's uuid is known. */
export interface Place {
  readonly doubt: number | SQLWrapper
  readonly at: number | SQLWrapper
  readonly uuid: string
}

export interface ScanRequest {
  readonly tenantId: string
  readonly filter: Omit<GarmentFilter, 'limit' | 'cursor'>
  /** The filter's `textTerms`, so that a search is parsed once. */
  readonly terms: readonly Term[]
  readonly last?: Place | undefined
  /** Lists the garments before `last`, nearest first. */
  readonly isBackwards?: boolean
  /** Maximum number of index entries that a scan compares with the filter. */
  readonly step: number
  readonly limit: number
}

/** A read of one index in its order. */
interface Scan {
  readonly index: string
  readonly where: SQL | undefined
  /** The index sorts by these columns after those in `where`. */
  readonly keys: readonly SQLiteColumn[]
  readonly at: SQLiteColumn
  /** Conditions compared with each index entry. Absent if `where` is the whole filter. */
  readonly match: SQL | undefined
}

/** Lists of doubtful garments are always sorted by doubt. */
export const sortOf = ({ sort = 'newest', doubtful }: Pick<GarmentFilter, 'sort' | 'doubtful'>): Sort =>
  doubtful ? 'doubt' : sort

/** Whether a list is sorted only within one step, because no index has its order. */
export const isSortedInStep = (sort: Sort) => sort === 'title' || sort === 'price'

const isAscending = ({ filter, isBackwards = false }: Pick<ScanRequest, 'filter' | 'isBackwards'>) =>
  (sortOf(filter) === 'oldest') !== isBackwards

export type TextFilter = Pick<
  GarmentFilter,
  | 'search'
  | 'brand'
  | 'itemType'
  | 'colour'
  | 'size'
  | 'gender'
  | 'minPrice'
  | 'maxPrice'
  | 'stage'
  | 'unpriced'
  | 'corrected'
>

export function textTerms({ search, brand, itemType, colour, size, gender, stage, corrected }: TextFilter): Term[] {
  const value = (text: string | undefined, mark: Mark): Term[] =>
    text === undefined ? [] : [[` ${marked(text, mark)} `]]
  return [
    ...(search === undefined ? [] : parseSearch(search)),
    ...value(brand, marks.brand),
    ...value(itemType, marks.itemType),
    ...value(colour, marks.colour),
    ...value(size, marks.size),
    ...value(gender && (readWearer(gender) ?? gender), marks.gender),
    ...value(corrected ? 'corrected' : undefined, marks.is),
    ...value(stage === 'draft' ? undefined : stage, marks.stage),
  ]
}

/** Maximum number of comparisons of a word with a garment's text in one statement. */
const maxComparisons = 60_000

/** Returns how many entries a statement may examine, at most `most`, so that a search of many words costs no more. */
export const entriesFor = (terms: readonly Term[], most: number): number =>
  Math.min(most, Math.floor(maxComparisons / Math.max(1, comparisonsOf(terms))))

/** Whether a filter is compared with index entries one by one, so that its cost grows with the stock. */
export const isSearch = (filter: ScanRequest['filter']): boolean =>
  hasTextFilter(filter) || isSortedInStep(sortOf(filter))

function hasTextFilter(filter: TextFilter): boolean {
  const { search, brand, itemType, colour, size, gender, minPrice, maxPrice, stage, unpriced, corrected } = filter
  const values = [search, brand, itemType, colour, size, gender, minPrice, maxPrice, stage]
  return Boolean(unpriced) || Boolean(corrected) || values.some((value) => value !== undefined)
}

/** Returns undefined for a filter without conditions on text or price. */
function textCondition({ minPrice, maxPrice, stage, unpriced }: TextFilter, terms: readonly Term[]): SQL | undefined {
  return and(
    textHasTerms(terms),
    minPrice === undefined ? undefined : gte(garments.price, minPrice),
    maxPrice === undefined ? undefined : lte(garments.price, maxPrice),
    unpriced ? isNull(garments.price) : undefined,
    unpriced || stage === 'draft' ? eq(garments.status, 'complete') : undefined,
    // A draft has no mark.
    stage === 'draft' ? not(contains(garments.searchText, `${marks.stage} `)) : undefined,
  )
}

/** A statement takes at most 100 parameters. */
const maxWaitingWords = 8

/** Scans of waiting garments, which have no search text yet: the search compares their uuid and attributes. */
function waitingScans({ search, status }: ScanRequest['filter']): Scan[] {
  const words = search === undefined ? [] : foldWords(search).slice(0, maxWaitingWords)
  if (search !== undefined && words.length === 0) return []
  const match = and(
    ...words.map((word) => contains(sql`lower(uuid || attribute)`, word)),
    status === undefined || status === 'waiting' ? undefined : eq(garments.status, status),
  )
  const scan = (index: string, state: SQL | undefined, at: SQLiteColumn): Scan => ({
    index,
    // Has no time bounds, because SQLite may start at the wrong one of two bounds.
    where: and(state, isNull(garments.endedAt)),
    keys: [at, garments.uuid],
    at,
    match,
  })
  return [
    scan('garments_queued', isInBacklog, garments.queuedAt),
    scan('garments_queued', hasTurn, garments.queuedAt),
    scan('garments_retries', waitsForRetry, garments.dueAt),
  ]
}

function scansOf(request: ScanRequest): Scan[] {
  const { filter, terms, last } = request
  const { stage, status, fromMs, untilMs } = filter
  const sort = sortOf(filter)
  const from = fromMs === undefined ? undefined : gte(garments.createdAt, fromMs)
  const until = untilMs === undefined ? undefined : lt(garments.createdAt, untilMs)
  const condition = textCondition(filter, terms)
  const hasStatus = status === undefined || status === 'waiting' ? undefined : eq(garments.status, status)
  if (sort === 'doubt') {
    const keys = [garments.doubt, garments.createdAt, garments.uuid]
    const match = and(condition, from, until, hasStatus)
    return status === 'waiting'
      ? []
      : [{ index: 'garments_by_doubt', where: isDoubtful, keys, at: garments.createdAt, match }]
  }

  const isUp = isAscending(request)
  // Has at most one bound where the scan begins, because SQLite may start at the wrong one of two bounds.
  const times = [last !== undefined && isUp ? undefined : from, last !== undefined && !isUp ? undefined : until]
  const hasOnly = (name: 'search' | 'stage') => !hasTextFilter({ ...filter, [name]: undefined })
  const waiting = hasOnly('search') && fromMs === undefined && untilMs === undefined ? waitingScans(filter) : []
  if (status !== undefined && status !== 'complete' && status !== 'failed') return waiting
  // Only complete garments are listed.
  if (stage === 'listed' && status !== 'failed' && hasOnly('stage') && !isSortedInStep(sort))
    return [
      {
        index: 'garments_listed',
        where: and(isListed, ...times),
        keys: [garments.createdAt, garments.uuid],
        at: garments.createdAt,
        match: undefined,
      },
    ]
  const isFailedOnly = status === 'failed' && condition === undefined && !isSortedInStep(sort)
  const ended: Scan = {
    index: isFailedOnly ? 'garments_failed_of_tenant' : 'garments_ended',
    where: and(isFailedOnly ? isFailed : isNotNull(garments.endedAt), ...times),
    keys: [garments.createdAt, garments.uuid],
    at: garments.createdAt,
    // A list that is sorted within a step always examines the whole step.
    match: and(condition, isFailedOnly ? undefined : hasStatus) ?? (isSortedInStep(sort) ? sql`1` : undefined),
  }
  return status === undefined && !isSortedInStep(sort) ? [...waiting, ended] : [ended]
}

/** Builds the statements of each scan. Each reads its index once, in the list's order. */
function readScans(request: ScanRequest) {
  const { tenantId, last, step, limit } = request
  const isUp = isAscending(request)
  return scansOf(request).map(({ index, where, keys, at, match }) => {
    const columns = new Map<SQLiteColumn, 'doubt' | 'at' | 'uuid'>([
      [garments.doubt, 'doubt'],
      [at, 'at'],
      [garments.uuid, 'uuid'],
    ])
    const lastKeys = keys.map((key) => sql`${last?.[columns.get(key) ?? 'uuid']}`)
    const after = last && sql`(${list(keys)}) ${sql.raw(isUp ? '>' : '<')} (${list(lastKeys)})`
    const order = list(keys.map((key) => (isUp ? asc(key) : desc(key))))
    // Other indexes lack the text and the price, and reading the row would cost more.
    const texts = index === 'garments_ended' ? sql`search_text AS text, price` : sql`NULL AS text, NULL AS price`
    const bound = match === undefined ? limit : step
    const entries = (isMatch: SQL | number) => sql`
      SELECT rowid AS garment, uuid, ${keys.includes(garments.doubt) ? garments.doubt : 0} AS doubt, ${at} AS at, ${texts},
        ${isMatch} AS isMatch, 0 AS stops
      FROM ${garments} INDEXED BY ${sql.identifier(index)}
      WHERE ${and(eq(garments.tenantId, tenantId), where, after)}`
    return {
      isFiltered: match !== undefined,
      entries: entries(match ?? 1),
      step: sql`SELECT * FROM (${entries(match ?? 1)} ORDER BY ${order} LIMIT ${bound})`,
      bound,
      /** The last entry of a full step, with `stops`. `most` is 0 or 1. */
      end: (most: SQL | number) => sql`
        SELECT garment, uuid, doubt, at, text, price, 0 AS isMatch, 1 AS stops
        FROM (${entries(0)} ORDER BY ${order} LIMIT ${most} OFFSET ${step - 1})`,
    }
  })
}

/** A filter that excludes all garments has no scan. */
const together = (scans: readonly SQL[]) => (scans.length === 0 ? noRow : sql.join([...scans], sql` UNION ALL `))

/**
 * Selects the garments of a list: `garment` (a rowid), `uuid`, `doubt`, `at`, `text` and `price`, each scan in the
 * list's order. The caller adds a limit, so that indexes are read no further. If a scan finds fewer than `limit` among
 * `step` entries, it also selects the last entry, with `stops`.
 */
export const scanMatches = (request: ScanRequest): SQL =>
  together(
    readScans(request).map(({ isFiltered, entries, step, end }) => {
      if (!isFiltered) return entries
      // A limit rather than a condition, which would be compared with each entry.
      return sql`SELECT * FROM (
        WITH found AS MATERIALIZED (${step} WHERE isMatch LIMIT ${request.limit})
        SELECT * FROM found
        UNION ALL ${end(sql`iif((SELECT count(*) FROM found) < ${request.limit}, 1, 0)`)})`
    }),
  )

/** Selects all matches of a step, with the columns of `scanMatches`, and in a second statement the ends of the step. */
export function scanStep(request: ScanRequest): { matches: SQL; ends: SQL } {
  const scans = readScans(request)
  return {
    matches: together(scans.map(({ step }) => sql`${step} WHERE isMatch`)),
    ends: together(scans.map(({ end }) => end(1))),
  }
}

/** Selects how many garments each scan finds in a step (`found`), and whether the step was full (`isCut`). */
export const scanCounts = (request: ScanRequest): SQL =>
  together(
    readScans(request).map(
      ({ step, bound }) => sql`SELECT coalesce(sum(isMatch), 0) AS found, count(*) = ${bound} AS isCut FROM (${step})`,
    ),
  )

const noRow = sql`
  SELECT 0 AS garment, '' AS uuid, 0 AS doubt, 0 AS at, NULL AS text, NULL AS price, 0 AS isMatch, 0 AS stops WHERE 0`

export function listOrder(request: Pick<ScanRequest, 'filter' | 'isBackwards'>): SQL {
  const sort = sortOf(request.filter)
  if (sort === 'title') return sql`text, uuid`
  if (sort === 'price') return sql`price IS NULL, price, uuid`
  const direction = sql.raw(isAscending(request) ? 'ASC' : 'DESC')
  return sort === 'doubt'
    ? sql`doubt ${direction}, at ${direction}, uuid ${direction}`
    : sql`at ${direction}, uuid ${direction}`
}
