import { sql, type SQL } from 'drizzle-orm'
import { facets, garments } from '../../db/schema.ts'
import type { GarmentFilter } from './list-garments.ts'
import { matches } from './matches.ts'
import { planScan } from './plan-scan.ts'

/** Garments that are looked at for a neighbour that must match a filter that no index covers. */
const maxLookedAt = 10

/**
 * The uuid of the garment before or after one in a list, as a subquery; null if there is none, or none near enough in a
 * list that no index covers, and in a search, whose order is that of its words.
 */
export function neighbour(
  side: 'previous' | 'next',
  tenantId: string,
  uuid: string,
  filter: Omit<GarmentFilter, 'limit'>,
): SQL<string | null> {
  if (filter.search !== undefined) return sql`NULL`
  const at = sql`(
    SELECT iif(ended_at IS NULL, due_at, created_at) FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid = ${uuid})`
  const last = { at, id: uuid, tenantId }
  const { scans, orderBy, isCovered } = planScan({ ...filter, limit: 1 }, last, side === 'previous')
  const sorted = Object.entries(facets).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`)
  const selects = scans.map(
    ({ index, sortTime, where }) => sql`
      SELECT uuid, ${sortTime} AS at, ${isCovered ? sql`1` : matches(filter)} AS is_found, ${sql.join(sorted, sql`, `)}
      FROM ${garments} ${index === null ? sql`` : sql`INDEXED BY ${sql.identifier(index)}`}
      WHERE tenant_id = ${tenantId} AND ${where}`,
  )
  const limit = isCovered ? 1 : maxLookedAt
  return sql`(
    SELECT uuid FROM (${sql.join(selects, sql` UNION ALL `)} ORDER BY ${orderBy} LIMIT ${limit})
    WHERE is_found LIMIT 1)`
}
