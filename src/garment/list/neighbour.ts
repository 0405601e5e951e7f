import { sql, type SQL } from 'drizzle-orm'
import { facets, garments } from '../../db/schema.ts'
import type { GarmentFilter } from './list-garments.ts'
import { namedColumns, scanAll } from './index-scans.ts'
import { matches } from './matches.ts'
import { planScan } from './plan-scan.ts'

/** Garments that are read to find a neighbour that matches a filter without an index. */
const maxLookedAt = 10

export type Side = 'previous' | 'next'

/**
 * The uuid of the garment before or after one in a list, as a subquery; null if there is none, or none near enough in a
 * list that no index covers. In a search, of the garments whose uuid begins with it.
 */
export function neighbour(
  side: Side,
  tenantId: string,
  uuid: string,
  filter: Omit<GarmentFilter, 'limit'>,
): SQL<string | null> {
  const at = sql`(
    SELECT iif(ended_at IS NULL, due_at, created_at) FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid = ${uuid})`
  const last = { at, id: uuid, tenantId }
  const { scans, orderBy, isCovered } = planScan({ ...filter, limit: 1 }, last, side === 'previous')
  const isFound = isCovered ? sql`1` : matches(filter)
  const rows = scanAll(
    tenantId,
    scans,
    ({ sortTime }) => sql`${garments.uuid}, ${sortTime} AS at, ${isFound} AS is_found, ${namedColumns(facets)}`,
  )
  const limit = isCovered ? 1 : maxLookedAt
  return sql`(
    SELECT uuid FROM (${rows} ORDER BY ${orderBy} LIMIT ${limit})
    WHERE is_found LIMIT 1)`
}
