import { sql, type SQL } from 'drizzle-orm'
import { facets, garments } from '../../db/schema.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import {
  ascending,
  descending,
  isBeyond,
  orderOf,
  scanGroups,
  type Direction,
  type IndexScan,
  type LastRow,
} from './index-scans.ts'
import type { GarmentFilter } from './list-garments.ts'
import { sortOf } from './sorts.ts'

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

const { uuid, createdAt, dueAt, endedAt, status: statusColumn } = garments

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
    const where = sql`${facets.corrected} = 1 ${isBeyond(createdAt, last, direction)}`
    const orderBy = orderOf(['at', 'uuid'], direction)
    return { scans: [{ index: 'garments_corrected', sortTime: createdAt, where }], orderBy, isCovered }
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
  const until = untilMs === undefined || begins(descending) ? sql`` : sql`AND ${createdAt} < ${untilMs}`
  const from = fromMs === undefined || begins(ascending) ? sql`` : sql`AND ${createdAt} >= ${fromMs}`
  const orderBy = orderOf(['at', 'uuid'], direction)
  const ended = (endedAs: 'complete' | 'failed'): IndexScan => ({
    index: 'garments_ended',
    sortTime: createdAt,
    where: sql`${endedAt} IS NOT NULL AND ${statusColumn} = ${endedAs} ${from} ${until} ${isBeyond(createdAt, last, direction)}`,
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
      ? sql`${uuid} >= ${prefix} AND ${uuid} < min(${end}, ${id})`
      : sql`${uuid} >= max(${prefix}, ${id}) AND ${uuid} <> ${id} AND ${uuid} < ${end}`
    return { index: null, sortTime: createdAt, where }
  })
  return { scans, orderBy: isBackwards ? sql`uuid DESC` : sql`uuid` }
}
