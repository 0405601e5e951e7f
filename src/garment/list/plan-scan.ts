import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Position } from '../../db/page.ts'
import { facets, garments } from '../../db/schema.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import type { GarmentFilter } from './list-garments.ts'

interface IndexScan {
  /** Null for the primary key. */
  readonly index: string | null
  /** The time that the list is sorted by. */
  readonly sortTime: SQLiteColumn
  readonly where: SQL
}

interface ScanPlan {
  /** At most 5, which is the platform's limit on compound selects. Each gives its rows in the order of the plan. */
  readonly scans: readonly IndexScan[]
  readonly orderBy: SQL
  /** Whether the index covers the whole filter. Otherwise the rows are filtered after the scan. */
  readonly isCovered: boolean
  /** The most rows on a page, where a scan reads other rows too. */
  readonly maxRows?: number
}

/** The row that the cursor points to: the last one of the page before. */
export type LastRow = Position & { readonly tenantId: string }

type Facet = keyof typeof facets

const doubtLevels = [0, 1, 2, 3]

const { tenantId: tenantColumn, uuid, createdAt, dueAt, endedAt, status: statusColumn, tag } = garments

/** By names of the list's columns, because a compound select can be sorted by nothing else. */
const descending = (names: readonly (Facet | 'at' | 'uuid')[]) =>
  sql.join(
    names.map((name) => sql`${sql.identifier(name)} DESC`),
    sql`, `,
  )

const newestFirst = descending(['at', 'uuid'])

/** Scans by the most selective part of the filter, from the beginning or from after `last`. */
export function planScan(filter: GarmentFilter, last?: LastRow): ScanPlan {
  const { status, search, brand, itemType, colour, fromMs, untilMs, corrected, doubtful } = filter
  const given = [search, brand, itemType, colour, corrected || undefined, doubtful || undefined]
  const isSingle = given.filter((value) => value !== undefined).length === 1
  const isCovered = isSingle && status === undefined && fromMs === undefined && untilMs === undefined

  if (search !== undefined) return { ...scanPrefixes(search, last), isCovered }
  if (brand !== undefined) {
    const groups = { index: 'garments_by_type', group: 'itemType', values: itemTypes } as const
    // Each step from one of 30 types to the next reads a row too.
    return { ...scanGroups(groups, sql`${facets.brand} = ${brand}`, last), isCovered, maxRows: 12 }
  }
  if (itemType !== undefined)
    return {
      ...scanGroups(
        { index: 'garments_by_type', group: 'itemType', values: [itemType], inner: ['brand'] },
        sql`1`,
        last,
      ),
      isCovered,
    }
  if (corrected) {
    const where = sql`${facets.corrected} = 1 ${olderThan(createdAt, last)}`
    return { scans: [{ index: 'garments_corrected', sortTime: createdAt, where }], orderBy: newestFirst, isCovered }
  }
  const byDoubt = { index: 'garments_by_doubt', group: 'doubt' } as const
  if (colour !== undefined)
    return { ...scanGroups({ ...byDoubt, values: doubtLevels }, sql`${facets.colour} = ${colour}`, last), isCovered }
  if (doubtful)
    return { ...scanGroups({ ...byDoubt, values: doubtLevels.slice(1), inner: ['colour'] }, sql`1`, last), isCovered }
  return scanByTime(filter, last)
}

/** By status and time of upload; all garments if neither is given. */
function scanByTime({ status, fromMs, untilMs }: GarmentFilter, last: LastRow | undefined): ScanPlan {
  const isDated = fromMs !== undefined || untilMs !== undefined
  // One upper bound only, because SQLite may start at the wrong one of two.
  const until = last === undefined && untilMs !== undefined ? sql`AND ${createdAt} < ${untilMs}` : sql``
  const from = fromMs === undefined ? sql`` : sql`AND ${createdAt} >= ${fromMs}`
  const ended = (endedAs: 'complete' | 'failed'): IndexScan => ({
    index: 'garments_ended',
    sortTime: createdAt,
    where: sql`${endedAt} IS NOT NULL AND ${statusColumn} = ${endedAs} ${from} ${until} ${olderThan(createdAt, last)}`,
  })
  // By due time, which is soon after the upload: their index has no other order, and there may be many.
  const waiting: IndexScan = {
    index: 'garments_active',
    sortTime: dueAt,
    where: sql`${dueAt} > 0 AND ${endedAt} IS NULL ${olderThan(dueAt, last)}`,
  }
  if (status === 'waiting') return { scans: [waiting], orderBy: newestFirst, isCovered: !isDated }
  const scans = status === undefined ? [ended('complete'), ended('failed')] : [ended(status)]
  const withWaiting = status === undefined && !isDated ? [waiting, ...scans] : scans
  return { scans: withWaiting, orderBy: newestFirst, isCovered: true }
}

const olderThan = (column: SQLiteColumn, last: LastRow | undefined) =>
  last === undefined ? sql`` : sql`AND (${column}, ${uuid}) < (${last.at}, ${last.id})`

/** The spellings under which a search finds a uuid: as it was typed, in lower and in upper case. */
export const spellings = (search: string): readonly string[] => [
  ...new Set([search, search.toLowerCase(), search.toUpperCase()]),
]

/**
 * Ranges instead of LIKE, because they need no escaping and use the primary key, one for each spelling. Each has one
 * lower bound, because of several SQLite starts at the first and would read all rows between. U+10FFFF sorts after
 * every character.
 */
function scanPrefixes(search: string, last: LastRow | undefined) {
  const id = last?.id ?? ''
  const scans = spellings(search).map((prefix) => {
    const end = `${prefix}\u{10ffff}\u{10ffff}`
    const where = sql`${uuid} >= max(${prefix}, ${id}) AND ${uuid} <> ${id} AND ${uuid} < ${end}`
    return { index: null, sortTime: createdAt, where }
  })
  return { scans, orderBy: sql`uuid` }
}

interface GroupedIndex {
  readonly index: string
  /** The column that the index begins with, after the tenant. */
  readonly group: Facet
  /** The values of `group` to be scanned. */
  readonly values: readonly (string | number)[]
  /** The columns that the index sorts each group by before the time. */
  readonly inner?: readonly Facet[]
}

/** Scans an index group by group in descending order: the rest of the group of `last`, then the groups below it. */
function scanGroups({ index, group, values, inner = [] }: GroupedIndex, where: SQL, last: LastRow | undefined) {
  const scan = (condition: SQL): IndexScan => ({
    index,
    sortTime: createdAt,
    where: sql`${tag} IS NOT NULL AND ${condition} AND ${where}`,
  })
  const inGroups = (condition: SQL) =>
    scan(sql`${facets[group]} IN (SELECT value FROM json_each(${JSON.stringify(values)}) ${condition})`)
  const orderBy = descending([group, ...inner, 'at', 'uuid'])
  if (last === undefined) return { scans: [inGroups(sql``)], orderBy }
  const lastGroup = valueIn(last, facets[group])
  return {
    scans: [
      scan(sql`${facets[group]} = ${lastGroup} AND ${isAfter(last, inner)}`),
      inGroups(sql`WHERE value < ${lastGroup}`),
    ],
    orderBy,
  }
}

const valueIn = ({ tenantId, id }: LastRow, column: SQL) =>
  sql`(SELECT ${column} FROM ${garments} WHERE ${tenantColumn} = ${tenantId} AND ${uuid} = ${id})`

/**
 * Whether a row comes after `last` in the descending order of these columns, its time and its uuid. Each column has a
 * subquery of its own, because SQLite uses the index by the first column only where one subquery gives all values.
 */
function isAfter(last: LastRow, inner: readonly Facet[]): SQL {
  const columns = sql.join([...inner.map((name) => facets[name]), createdAt, uuid], sql`, `)
  const values = sql.join(
    [...inner.map((name) => valueIn(last, facets[name])), sql`${last.at}`, sql`${last.id}`],
    sql`, `,
  )
  return sql`(${columns}) < (${values})`
}
