import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Position } from '../../db/page.ts'
import { facets, garments } from '../../db/schema.ts'

export interface IndexScan {
  /** Null for the primary key. */
  readonly index: string | null
  /** The time that the list is sorted by. */
  readonly sortTime: SQLiteColumn
  readonly where: SQL
}

/**
 * The row after which a scan begins: the last one of the previous page, or the garment whose neighbour is requested.
 */
export interface LastRow extends Pick<Position, 'id'> {
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

export interface Direction {
  readonly name: SQL
  /** How a row compares with one before it. */
  readonly beyond: SQL
}

export const ascending: Direction = { name: sql`ASC`, beyond: sql`>` }
export const descending: Direction = { name: sql`DESC`, beyond: sql`<` }

/** By names of the list's columns, because a compound select can be sorted by nothing else. */
export const orderOf = (names: readonly (Facet | 'at' | 'uuid')[], { name: direction }: Direction) =>
  sql.join(
    names.map((name) => sql`${sql.identifier(name)} ${direction}`),
    sql`, `,
  )

/** Whether a row's time and uuid come after those of `last`; true if there is none. */
export const isBeyond = (column: SQLiteColumn, last: LastRow | undefined, { beyond }: Direction) =>
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
export function scanGroups(
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
