import { sql, type SQL } from 'drizzle-orm'
import type { Place } from '../../db/page.ts'
import { itemTypes } from '../../vision/taxonomy/item-types.ts'
import type { GarmentFilter } from './list-garments.ts'

/** The part of a list that one walk along an index gives. */
interface Branch {
  readonly index: string | null
  /** The time by which a garment stands in the list. */
  readonly key: SQL
  readonly where: SQL
}

interface GarmentWalk {
  /** At most 5, which is as many as the platform merges; each is in the order of the whole. */
  readonly branches: readonly Branch[]
  readonly order: SQL
  /** Whether every filter is part of the walk. */
  readonly isWhole: boolean
  /** The most garments on a page, where the walk reads other rows too. */
  readonly maxShown?: number
}

/** The last garment that was shown. */
export type After = Place & { readonly tenantId: string }

const createdAt = sql`created_at`
const newest = sql`at DESC, uuid DESC`

/** The walk of one filter, the one that lets the fewest garments through, for a page from the beginning or `after`. */
export function garmentWalk(filter: GarmentFilter, after?: After): GarmentWalk {
  const { status, search, brand, itemType, colour, fromMs, untilMs, corrected, doubtful } = filter
  const others = [search, brand, itemType, colour, corrected || undefined, doubtful || undefined]
  const othersGiven = others.filter((value) => value !== undefined).length
  const isAlone = othersGiven === 1 && status === undefined && fromMs === undefined && untilMs === undefined
  const walk = (part: Omit<GarmentWalk, 'isWhole'>) => ({ ...part, isWhole: isAlone })

  if (search !== undefined) return walk(byUuid(search, after))
  if (brand !== undefined) {
    const groups = { index: 'garments_by_type', group: sql`item_type`, values: itemTypes }
    // Each step from one of 30 types to the next reads a row too.
    return { ...walk(grouped(groups, sql`brand = ${brand}`, after)), maxShown: 12 }
  }
  if (itemType !== undefined)
    return walk(ordered('garments_by_type', ['brand'], sql`tag IS NOT NULL AND item_type = ${itemType}`, after))
  if (corrected) {
    const where = sql`corrected = 1 ${older(createdAt, after)}`
    return walk({ branches: [{ index: 'garments_corrected', key: createdAt, where }], order: newest })
  }
  if (colour !== undefined)
    return walk(
      grouped({ index: 'garments_by_doubt', group: sql`doubt`, values: [0, 1, 2, 3] }, sql`colour = ${colour}`, after),
    )
  if (doubtful) {
    const groups = { index: 'garments_by_doubt', group: sql`doubt`, values: [1, 2, 3], inner: ['colour'] }
    return walk(grouped(groups, sql`1`, after))
  }
  return byTime(filter, after)
}

/** By status and time of upload; all garments if neither is given. */
function byTime({ status, fromMs, untilMs }: GarmentFilter, after: After | undefined): GarmentWalk {
  const isDated = fromMs !== undefined || untilMs !== undefined
  // One upper bound only, because of two SQLite may begin at the wrong one.
  const until = after === undefined && untilMs !== undefined ? sql`AND created_at < ${untilMs}` : sql``
  const from = fromMs === undefined ? sql`` : sql`AND created_at >= ${fromMs}`
  const ended = (endedAs: 'complete' | 'failed'): Branch => ({
    index: 'garments_ended',
    key: createdAt,
    where: sql`ended_at IS NOT NULL AND status = ${endedAs} ${from} ${until} ${older(createdAt, after)}`,
  })
  // By when they are due, which is soon after their upload: their index has no other order, and there may be many.
  const waiting: Branch = {
    index: 'garments_active',
    key: sql`due_at`,
    where: sql`due_at > 0 AND ended_at IS NULL ${older(sql`due_at`, after)}`,
  }
  if (status === 'waiting') return { branches: [waiting], order: newest, isWhole: !isDated }
  const branches = status === undefined ? [ended('complete'), ended('failed')] : [ended(status)]
  return {
    branches: status === undefined && !isDated ? [waiting, ...branches] : branches,
    order: newest,
    isWhole: true,
  }
}

const older = (key: SQL, after: After | undefined) =>
  after === undefined ? sql`` : sql`AND (${key}, uuid) < (${after.at}, ${after.id})`

/**
 * A range instead of LIKE, because it needs no escaping and walks the primary key. There is one lower bound, because
 * of several SQLite starts at the first and would read all rows between. U+10FFFF sorts after every character.
 */
function byUuid(prefix: string, after: After | undefined) {
  const id = after?.id ?? ''
  const where = sql`uuid >= max(${prefix}, ${id}) AND uuid <> ${id} AND uuid < ${`${prefix}\u{10ffff}\u{10ffff}`}`
  return { branches: [{ index: null, key: createdAt, where }], order: sql`uuid` }
}

/** What the garment `after` has in a column, by which the next page begins. */
const valueOf = (column: SQL, { tenantId, id }: After) =>
  sql`(SELECT ${column} FROM garments WHERE tenant_id = ${tenantId} AND uuid = ${id})`

const descending = (names: readonly string[]) => sql.raw(names.map((name) => `${name} DESC`).join(', '))

/**
 * What comes after a garment in the descending order of these columns, its time and its uuid. Column by column, because
 * SQLite walks an index by the first one only where a single query gives all of the values.
 */
function following(names: readonly string[], after: After): SQL {
  const columns = names.map((name) => sql.raw(name))
  const last = [...columns.map((column) => valueOf(column, after)), sql`${after.at}`, sql`${after.id}`]
  return sql`(${sql.join([...columns, createdAt, sql`uuid`], sql`, `)}) < (${sql.join(last, sql`, `)})`
}

/** In the order of an index that sorts by other columns before the time. */
function ordered(index: string, names: readonly string[], where: SQL, after: After | undefined) {
  const rest = after === undefined ? sql`` : sql`AND ${following(names, after)}`
  return {
    branches: [{ index, key: createdAt, where: sql`${where} ${rest}` }],
    order: descending([...names, 'created_at', 'uuid']),
  }
}

interface GroupedIndex {
  readonly index: string
  readonly group: SQL
  /** All that the group can be. */
  readonly values: readonly (string | number)[]
  /** By which each group is sorted before the time. */
  readonly inner?: readonly string[]
}

/** Group by group along an index that begins with the group, and each group by `inner`, then newest first. */
function grouped({ index, group, values, inner = [] }: GroupedIndex, where: SQL, after: After | undefined) {
  const among = (condition: SQL) =>
    sql`tag IS NOT NULL AND ${group} IN (SELECT value FROM json_each(${JSON.stringify(values)}) ${condition}) AND ${where}`
  const branch = (condition: SQL): Branch => ({ index, key: createdAt, where: condition })
  const order = sql`${group} DESC, ${descending([...inner, 'at', 'uuid'])}`
  if (after === undefined) return { branches: [branch(among(sql``))], order }
  const last = valueOf(group, after)
  return {
    branches: [
      branch(sql`tag IS NOT NULL AND ${group} = ${last} AND ${where} AND ${following(inner, after)}`),
      branch(among(sql`WHERE value < ${last}`)),
    ],
    order,
  }
}
