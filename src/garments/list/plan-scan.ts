import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Position } from '../../platform/db/page.ts'
import { facets, garments } from '../../platform/db/schema.ts'
import type { GarmentFilter } from './list-garments.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'

interface IndexScan {
  /** Null for the primary key. */
  readonly index: string | null
  /** The time that the list is sorted by. */
  readonly sortTime: SQLiteColumn
  readonly where: SQL
}

/**
 * The row after which a scan begins: the last one of the previous page, or the garment whose neighbour is requested.
 */
interface LastRow extends Pick<Position, 'id'> {
  /** The time that the list is sorted by; a subquery where only the garment's uuid is known. */
  readonly at: number | SQL
  readonly tenantId: string
}

const { tenantId: tenantColumn, uuid, createdAt, tag } = garments

/** Columns of a subquery under their names. */
export const namedColumns = (columns: Readonly<Record<string, SQLWrapper>>) =>
  sql.join(
    Object.entries(columns).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`),
    sql`, `,
  )

/** What a tenant's garments have in `columnsOf` each scan, of all scans together. */
export const scanAll = (tenantId: string, scans: readonly IndexScan[], columnsOf: (scan: IndexScan) => SQL): SQL =>
  sql.join(
    scans.map((scan) => {
      const index = scan.index === null ? sql`` : sql`INDEXED BY ${sql.identifier(scan.index)}`
      return sql`
      SELECT ${columnsOf(scan)} FROM ${garments} ${index} WHERE ${tenantColumn} = ${tenantId} AND ${scan.where}`
    }),
    sql` UNION ALL `,
  )

type Facet = keyof typeof facets

interface Direction {
  readonly name: SQL
  /** How a row compares with one before it. */
  readonly beyond: SQL
}

const ascending: Direction = { name: sql`ASC`, beyond: sql`>` }
const descending: Direction = { name: sql`DESC`, beyond: sql`<` }

/** By names of the list's columns, because a compound select can be sorted by nothing else. */
const orderOf = (names: readonly (Facet | 'at' | 'uuid')[], { name: direction }: Direction) =>
  sql.join(
    names.map((name) => sql`${sql.identifier(name)} ${direction}`),
    sql`, `,
  )

/** Whether a row's time and uuid come after those of `last`; true if there is none. */
const isBeyond = (column: SQLiteColumn, last: LastRow | undefined, { beyond }: Direction) =>
  last === undefined ? sql`` : sql`AND (${column}, ${uuid}) ${beyond} (${last.at}, ${last.id})`

interface GroupedIndex {
  readonly index: string
  /** The column that the index begins with, after the tenant. */
  readonly group: Facet
  /** The values of `group` to be scanned; all of them if absent. */
  readonly values?: readonly (string | number)[]
  /** The columns that the index sorts each group by before the time. */
  readonly inner?: readonly Facet[]
}

/** Scans an index group by group: the rest of the group of `last`, then the groups beyond it. */
function scanGroups(
  { index, group, values, inner = [] }: GroupedIndex,
  where: SQL,
  last: LastRow | undefined,
  direction: Direction,
) {
  const scan = (condition: SQL): IndexScan => ({
    index,
    sortTime: createdAt,
    where: sql`${tag} IS NOT NULL AND ${condition} AND ${where}`,
  })
  const inGroups = (lastGroup?: SQL) => {
    const isBeyondLast = (value: SQL) =>
      lastGroup === undefined ? sql`1` : sql`${value} ${direction.beyond} ${lastGroup}`
    if (values === undefined) return scan(isBeyondLast(facets[group]))
    const beyond = sql`SELECT value FROM json_each(${JSON.stringify(values)}) WHERE ${isBeyondLast(sql`value`)}`
    return scan(sql`${facets[group]} IN (${beyond})`)
  }
  const orderBy = orderOf([group, ...inner, 'at', 'uuid'], direction)
  if (last === undefined) return { scans: [inGroups()], orderBy }
  const lastGroup = valueIn(last, facets[group])
  return {
    scans: [scan(sql`${facets[group]} = ${lastGroup} AND ${isAfter(last, inner, direction)}`), inGroups(lastGroup)],
    orderBy,
  }
}

const valueIn = ({ tenantId, id }: LastRow, column: SQL) =>
  sql`(SELECT ${column} FROM ${garments} WHERE ${tenantColumn} = ${tenantId} AND ${uuid} = ${id})`

/**
 * Whether a row comes after `last` in the order of these columns, its time and its uuid. Each column has a subquery of
 * its own, because SQLite uses the index by the first column only where one subquery gives all values.
 */
function isAfter(last: LastRow, before: readonly Facet[], { beyond }: Direction): SQL {
  const columns = sql.join([...before.map((name) => facets[name]), createdAt, uuid], sql`, `)
  const values = sql.join(
    [...before.map((name) => valueIn(last, facets[name])), sql`${last.at}`, sql`${last.id}`],
    sql`, `,
  )
  return sql`(${columns}) ${beyond} (${values})`
}

/**
 * `type` and `type_down` go by item type and within it by brand, `doubt` by how many values are expected to be wrong;
 * these list complete garments only.
 */
const allSorts = ['newest', 'oldest', 'type', 'type_down', 'doubt'] as const

export type Sort = (typeof allSorts)[number]

/** The orders in which an index gives the garments of a filter, the usual one first; none for a search. */
export function sortsOf(filter: Omit<GarmentFilter, 'limit'>): readonly Sort[] {
  const { status, search, brand, itemType, colour, fromMs, untilMs, corrected, doubtful } = filter
  if (search !== undefined) return []
  // The garments of a brand are found type by type, which is as much as a page may read from one end only.
  if (brand !== undefined) return ['type_down']
  if (itemType !== undefined) return ['type_down', 'type']
  if (corrected) return ['newest', 'oldest']
  if (colour !== undefined || doubtful) return ['doubt']
  const isComplete = status === undefined || status === 'complete'
  const isUndated = fromMs === undefined && untilMs === undefined
  return isComplete && isUndated ? ['newest', 'oldest', 'type', 'doubt'] : ['newest', 'oldest']
}

/** The order of the list: the requested one if an index has it, otherwise the default. */
export function sortOf(filter: Omit<GarmentFilter, 'limit'>): Sort | undefined {
  const possible = sortsOf(filter)
  return possible.find((sort) => sort === filter.sort) ?? possible[0]
}

interface ScanPlan {
  /** At most 5, which is the platform's limit on compound selects. Each gives its rows in the order of the plan. */
  readonly scans: readonly IndexScan[]
  readonly orderBy: SQL
  /** Whether the index covers the whole filter. Otherwise the rows are filtered after the scan. */
  readonly isCovered: boolean
  /** The most rows on a page if a scan reads other rows too. */
  readonly maxRows?: number
}

const doubtLevels = [0, 1, 2, 3]

const { uuid: uuidPlanScan, createdAt: createdAtPlanScan, dueAt, endedAt, status: statusColumn } = garments

/** Before it stand all uuids that begin with the prefix. */
export const prefixEnd = (prefix: string) => `${prefix}\u{10ffff}\u{10ffff}`

/**
 * Scans by the most selective part of the filter, from the beginning or from after `last`; backwards for what comes
 * before `last`.
 */
export function planScan(filter: GarmentFilter, last?: LastRow, isBackwards = false): ScanPlan {
  const { status, search, brand, itemType, colour, fromMs, untilMs, corrected, doubtful } = filter
  const sort = sortOf(filter)
  const isAscending = sort === 'oldest' || sort === 'type'
  const direction = isAscending === isBackwards ? descending : ascending
  const given = [search, brand, itemType, colour, corrected || undefined, doubtful || undefined]
  const isSingle = given.filter((value) => value !== undefined).length === 1
  const isCovered = isSingle && status === undefined && fromMs === undefined && untilMs === undefined

  if (search !== undefined) return { ...scanPrefixes(search, last, isBackwards), isCovered }
  if (brand !== undefined) {
    const groups = { index: 'garments_by_type', group: 'itemType', values: itemTypes } as const
    // Each step from one of 30 types to the next reads a row too.
    return { ...scanGroups(groups, sql`${facets.brand} = ${brand}`, last, direction), isCovered, maxRows: 12 }
  }
  if (itemType !== undefined)
    return {
      ...scanGroups(
        { index: 'garments_by_type', group: 'itemType', values: [itemType], inner: ['brand'] },
        sql`1`,
        last,
        direction,
      ),
      isCovered,
    }
  if (corrected) {
    const where = sql`${facets.corrected} = 1 ${isBeyond(createdAtPlanScan, last, direction)}`
    const orderBy = orderOf(['at', 'uuid'], direction)
    return { scans: [{ index: 'garments_corrected', sortTime: createdAtPlanScan, where }], orderBy, isCovered }
  }
  const byDoubt = { index: 'garments_by_doubt', group: 'doubt' } as const
  if (colour !== undefined)
    return {
      ...scanGroups({ ...byDoubt, values: doubtLevels }, sql`${facets.colour} = ${colour}`, last, direction),
      isCovered,
    }
  if (doubtful)
    return {
      ...scanGroups({ ...byDoubt, values: doubtLevels.slice(1), inner: ['colour'] }, sql`1`, last, direction),
      isCovered,
    }
  const isComplete = sql`${statusColumn} = 'complete'`
  if (sort === 'type')
    return {
      ...scanGroups({ index: 'garments_by_type', group: 'itemType', inner: ['brand'] }, isComplete, last, direction),
      isCovered: true,
    }
  if (sort === 'doubt')
    return { ...scanGroups({ ...byDoubt, inner: ['colour'] }, isComplete, last, direction), isCovered: true }
  return scanByTime(filter, last, direction)
}

/** By status and time of upload; all garments if neither is given. */
function scanByTime(
  { status, fromMs, untilMs }: GarmentFilter,
  last: LastRow | undefined,
  direction: Direction,
): ScanPlan {
  const isDated = fromMs !== undefined || untilMs !== undefined
  // Only one bound on the side where the scan begins, because with two SQLite may start at the wrong one.
  const begins = (side: Direction) => last !== undefined && direction === side
  const until = untilMs === undefined || begins(descending) ? sql`` : sql`AND ${createdAtPlanScan} < ${untilMs}`
  const from = fromMs === undefined || begins(ascending) ? sql`` : sql`AND ${createdAtPlanScan} >= ${fromMs}`
  const orderBy = orderOf(['at', 'uuid'], direction)
  const ended = (endedAs: 'complete' | 'failed'): IndexScan => ({
    index: 'garments_ended',
    sortTime: createdAtPlanScan,
    where: sql`${endedAt} IS NOT NULL AND ${statusColumn} = ${endedAs} ${from} ${until} ${isBeyond(createdAtPlanScan, last, direction)}`,
  })
  // By due time, which is soon after the upload: their index has no other order, and there may be many.
  const waiting: IndexScan = {
    index: 'garments_active',
    sortTime: dueAt,
    where: sql`${begins(ascending) ? sql`${dueAt} IS NOT NULL` : sql`${dueAt} > 0`} AND ${endedAt} IS NULL ${isBeyond(dueAt, last, direction)}`,
  }
  if (status === 'waiting') return { scans: [waiting], orderBy, isCovered: !isDated }
  const scans = status === undefined ? [ended('complete'), ended('failed')] : [ended(status)]
  const withWaiting = status === undefined && !isDated ? [waiting, ...scans] : scans
  return { scans: withWaiting, orderBy, isCovered: true }
}

/** The spellings under which a search finds a uuid: as it was typed, in lower and in upper case. */
export const spellings = (search: string): readonly string[] => [
  ...new Set([search, search.toLowerCase(), search.toUpperCase()]),
]

/**
 * Ranges instead of LIKE, because they need no escaping and use the primary key, one for each spelling. Each has one
 * lower bound, because of several SQLite starts at the first and would read all rows between. U+10FFFF sorts after
 * every character.
 */
function scanPrefixes(search: string, last: LastRow | undefined, isBackwards: boolean) {
  const id = last?.id ?? ''
  const scans = spellings(search).map((prefix) => {
    const end = prefixEnd(prefix)
    const where = isBackwards
      ? sql`${uuidPlanScan} >= ${prefix} AND ${uuidPlanScan} < min(${end}, ${id})`
      : sql`${uuidPlanScan} >= max(${prefix}, ${id}) AND ${uuidPlanScan} <> ${id} AND ${uuidPlanScan} < ${end}`
    return { index: null, sortTime: createdAtPlanScan, where }
  })
  return { scans, orderBy: isBackwards ? sql`uuid DESC` : sql`uuid` }
}

/** What `matchesFilter` asks of a row, for the database. The uuid is left out. */
export function matches({
  status,
  brand,
  itemType,
  colour,
  fromMs,
  untilMs,
  corrected,
  doubtful,
}: Omit<GarmentFilter, 'limit'>): SQL {
  const conditions = [
    status === undefined
      ? undefined
      : status === 'waiting'
        ? sql`${garments.status} IN ('queuing', 'processing')`
        : sql`${garments.status} = ${status}`,
    brand === undefined ? undefined : sql`${facets.brand} = ${brand}`,
    itemType === undefined ? undefined : sql`${facets.itemType} = ${itemType}`,
    colour === undefined ? undefined : sql`${facets.colour} = ${colour}`,
    fromMs === undefined ? undefined : sql`${garments.createdAt} >= ${fromMs}`,
    untilMs === undefined ? undefined : sql`${garments.createdAt} < ${untilMs}`,
    corrected ? sql`${facets.corrected} = 1` : undefined,
    doubtful ? sql`${facets.doubt} > 0` : undefined,
  ].filter((condition) => condition !== undefined)
  return conditions.length === 0 ? sql`1` : sql`(${sql.join(conditions, sql` AND `)})`
}
