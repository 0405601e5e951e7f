import { sql, type SQL } from 'drizzle-orm'
import { garments } from '../../platform/db/schema.ts'
import { foldWords, type Mark, marked, marks } from './search-words.ts'
import { conjunction, parseSearch, type Term, textHasTerms } from './parse-search.ts'
import { readWearer } from '../../vision/attributes/wearer.ts'
import { hasTurn, isInBacklog, waitsForRetry } from '../turns.ts'
import type { GarmentFilter, Sort } from './list-garments.ts'

/** A place in a list, after which a page begins. Subqueries where only the garment's uuid is known. */
export interface Place {
  readonly doubt: number | SQL
  /** The time that the list is sorted by. */
  readonly at: number | SQL
  readonly uuid: string
}

export interface ScanRequest {
  readonly tenantId: string
  readonly filter: Omit<GarmentFilter, 'limit' | 'cursor'>
  readonly last?: Place | undefined
  /** Lists what comes before `last`, the nearest first. */
  readonly isBackwards?: boolean
  /** Entries that a scan looks at, at most, where its index does not say all that the filter asks. */
  readonly step: number
  /** Garments that each scan finds, at most. */
  readonly limit: number
}

interface Scan {
  readonly index: string
  readonly where: SQL
  /** The columns by which the index sorts, after the tenant and what `where` compares. */
  readonly keys: readonly ('doubt' | 'at' | 'uuid')[]
  readonly at: SQL
  /** What the index does not say, of each entry; absent if it says all. */
  readonly match: SQL | undefined
}

/** The order of the list: by doubt where only doubtful garments are listed. */
export const sortOf = ({ sort = 'newest', doubtful }: Pick<GarmentFilter, 'sort' | 'doubtful'>): Sort =>
  doubtful ? 'doubt' : sort

/** Whether a list is sorted within one step of its scan only, since no index has its order. */
export const isSortedInStep = (sort: Sort) => sort === 'title' || sort === 'price'

const goesUp = ({ filter, isBackwards = false }: Pick<ScanRequest, 'filter' | 'isBackwards'>) =>
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

/** What a filter asks of a garment's text. */
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

function textConditions(filter: TextFilter): SQL[] {
  const { minPrice, maxPrice, stage, unpriced } = filter
  const terms = textTerms(filter)
  return [
    ...(terms.length === 0 ? [] : [textHasTerms(terms)]),
    ...(minPrice === undefined ? [] : [sql`price >= ${minPrice}`]),
    ...(maxPrice === undefined ? [] : [sql`price <= ${maxPrice}`]),
    ...(unpriced ? [sql`price IS NULL`] : []),
    ...(unpriced || stage === 'draft' ? [sql`status = 'complete'`] : []),
    // A draft has no mark.
    ...(stage === 'draft' ? [sql`instr(search_text, ${`${marks.stage} `}) = 0`] : []),
  ]
}

const allOf = (conditions: readonly SQL[]) => (conditions.length === 0 ? undefined : conjunction(conditions))

const doubtScan = (filter: ScanRequest['filter'], times: readonly SQL[]): Scan => ({
  index: 'garments_by_doubt',
  where: sql`doubt <> 0`,
  keys: ['doubt', 'at', 'uuid'],
  at: sql`created_at`,
  match: allOf([
    ...textConditions(filter),
    ...times,
    ...(filter.status === undefined ? [] : [sql`status = ${filter.status}`]),
  ]),
})

/** A statement takes 100 parameters. */
const maxWaitingWords = 8

/** Each in the order of its index, which is by the time of the upload or the next try: there may be many. */
function waitingScans({ search, status }: ScanRequest['filter']): Scan[] {
  // They have no text yet. Their uuid and attributes are compared letter by letter.
  const searched = search === undefined ? [] : foldWords(search)
  const words =
    search !== undefined && searched.length === 0
      ? [sql`0`]
      : searched.slice(0, maxWaitingWords).map((word) => sql`instr(lower(uuid || attribute), ${word}) > 0`)
  const ofStatus = status === undefined || status === 'waiting' ? [] : [sql`status = ${status}`]
  const scan = (index: string, state: SQL, at: SQL): Scan => ({
    index,
    // No bounds, because of two on one side SQLite may start at the wrong one.
    where: sql`${state} AND ended_at IS NULL`,
    keys: ['at', 'uuid'],
    at,
    match: allOf([...words, ...ofStatus]),
  })
  return [
    scan('garments_queued', isInBacklog, sql`queued_at`),
    scan('garments_queued', hasTurn, sql`queued_at`),
    scan('garments_retries', waitsForRetry, sql`due_at`),
  ]
}

/** The scans of indexes that give a list together, each in the list's order. */
function scansOf(request: ScanRequest): Scan[] {
  const { filter, last } = request
  const { status, fromMs, untilMs } = filter
  const sort = sortOf(filter)
  const from = fromMs === undefined ? [] : [sql`created_at >= ${fromMs}`]
  const until = untilMs === undefined ? [] : [sql`created_at < ${untilMs}`]
  if (sort === 'doubt') return [doubtScan(filter, [...from, ...until])]

  const isUp = goesUp(request)
  // Only one bound on the side where the scan begins, because with two SQLite may start at the wrong one.
  const times = [...(last !== undefined && isUp ? [] : from), ...(last !== undefined && !isUp ? [] : until)]
  const conditions = textConditions(filter)
  const isOfSearchOnly = textConditions({ ...filter, search: undefined }).length === 0
  const waiting = isOfSearchOnly && from.length + until.length === 0 ? waitingScans(filter) : []
  if (status !== undefined && status !== 'complete' && status !== 'failed') return waiting
  const isFailed = status === 'failed' && conditions.length === 0 && !isSortedInStep(sort)
  const ofStatus = status === undefined || isFailed ? [] : [sql`status = ${status}`]
  const ended: Scan = {
    index: isFailed ? 'garments_failed_of_tenant' : 'garments_ended',
    where: conjunction([isFailed ? sql`status = 'failed'` : sql`ended_at IS NOT NULL`, ...times]),
    keys: ['at', 'uuid'],
    at: sql`created_at`,
    // Even if nothing is asked where all of a step are sorted.
    match: allOf([...conditions, ...ofStatus]) ?? (isSortedInStep(sort) ? sql`1` : undefined),
  }
  return status === undefined && !isSortedInStep(sort) ? [...waiting, ended] : [ended]
}

/** The scans of a list, as statements: each reads its index in the list's order, and once. */
function readScans(request: ScanRequest) {
  const { tenantId, last, step, limit } = request
  const [direction, beyond] = goesUp(request) ? [sql`ASC`, sql`>`] : [sql`DESC`, sql`<`]
  return scansOf(request).map(({ index, where, keys, at, match }) => {
    const columns = { doubt: sql`doubt`, at, uuid: sql`uuid` }
    const key = list(keys.map((name) => columns[name]))
    const after =
      last === undefined ? sql`1` : sql`(${key}) ${beyond} (${list(keys.map((name) => sql`${last[name]}`))})`
    const order = sql`ORDER BY ${list(keys.map((name) => sql`${columns[name]} ${direction}`))}`
    // Nothing but the index is read where it has all.
    const texts = index === 'garments_ended' ? sql`search_text AS text, price` : sql`NULL AS text, NULL AS price`
    const bound = match === undefined ? limit : step
    const entries = (matched: SQL) => sql`
      SELECT rowid AS garment, uuid, ${keys.includes('doubt') ? sql`doubt` : sql`0`} AS doubt, ${at} AS at, ${texts},
        ${matched} AS isMatch, 0 AS stops
      FROM ${garments} INDEXED BY ${sql.identifier(index)}
      WHERE tenant_id = ${tenantId} AND ${where} AND ${after}`
    return {
      isFiltered: match !== undefined,
      /** Those that it looks at, in no order of their own if all of them match. */
      entries: entries(match ?? sql`1`),
      /** The same, cut where it stops. */
      step: sql`SELECT * FROM (${entries(match ?? sql`1`)} ${order} LIMIT ${bound})`,
      bound,
      /** The last of a whole step, as one that `stops` there; at most `most` of it, which is 0 or 1. */
      end: (most: SQL) => sql`
        SELECT garment, uuid, doubt, at, text, price, 0 AS isMatch, 1 AS stops
        FROM (${entries(sql`0`)} ${order} LIMIT ${most} OFFSET ${step - 1})`,
    }
  })
}

// A status and a filter that exclude each other have no scan.
const together = (scans: readonly SQL[]) => (scans.length === 0 ? noRow : sql.join([...scans], sql` UNION ALL `))

/**
 * Selects what a list finds: `garment`, which is a rowid, `uuid`, `doubt`, `at`, `text` and `price`, each scan in the
 * list's order; to be cut by a limit, so that indexes are read no further. A scan that found fewer than `limit` and has
 * looked at `step` entries also selects the last of them, as one that `stops` there.
 */
export const scanMatches = (request: ScanRequest): SQL =>
  together(
    readScans(request).map(({ isFiltered, entries, step, end }) => {
      if (!isFiltered) return entries
      // The end by a limit, because a condition would be compared with each entry.
      return sql`SELECT * FROM (
        WITH found AS MATERIALIZED (${step} WHERE isMatch LIMIT ${request.limit})
        SELECT * FROM found
        UNION ALL ${end(sql`iif((SELECT count(*) FROM found) < ${request.limit}, 1, 0)`)})`
    }),
  )

/** Selects all that a step finds, as `scanMatches` names it, and in another statement where the step stops. */
export function scanStep(request: ScanRequest): { matches: SQL; ends: SQL } {
  const scans = readScans(request)
  return {
    matches: together(scans.map(({ step }) => sql`${step} WHERE isMatch`)),
    ends: together(scans.map(({ end }) => end(sql`1`))),
  }
}

/** Selects how many garments each scan finds in a step, `found`, and whether that was cut, `isCut`. */
export const scanCounts = (request: ScanRequest): SQL =>
  together(
    readScans(request).map(
      ({ step, bound }) => sql`SELECT coalesce(sum(isMatch), 0) AS found, count(*) = ${bound} AS isCut FROM (${step})`,
    ),
  )

const noRow = sql`
  SELECT 0 AS garment, '' AS uuid, 0 AS doubt, 0 AS at, NULL AS text, NULL AS price, 0 AS isMatch, 0 AS stops WHERE 0`

const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)

/** The list's order, by the columns of `scanMatches`. */
export function listOrder(request: Pick<ScanRequest, 'filter' | 'isBackwards'>): SQL {
  const sort = sortOf(request.filter)
  if (sort === 'title') return sql`text, uuid`
  if (sort === 'price') return sql`price IS NULL, price, uuid`
  const direction = goesUp(request) ? sql`ASC` : sql`DESC`
  const names = sort === 'doubt' ? ['doubt', 'at', 'uuid'] : ['at', 'uuid']
  return list(names.map((name) => sql`${sql.identifier(name)} ${direction}`))
}
