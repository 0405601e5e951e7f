import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import type { GarmentFilter } from './list-garments.ts'
import { scanAll } from './index-scans.ts'
import { matches } from './matches.ts'
import { planScan } from './plan-scan.ts'

/** Entries of an index that are read for a total. */
export const maxCounted = 10_000

export interface GarmentCount {
  readonly count: number
  /** Whether all candidates were read. */
  readonly isAll: boolean
}

/**
 * How many garments a filter finds. If no index covers it, the row of each entry is read too, so only half as many
 * entries are read.
 */
export async function countGarments(
  db: Database,
  tenantId: string,
  filter: Omit<GarmentFilter, 'limit'>,
): Promise<GarmentCount> {
  const { scans, isCovered } = planScan({ ...filter, limit: 1 })
  const limit = isCovered ? maxCounted : maxCounted / 2
  const rows = scanAll(tenantId, scans, () => sql`${isCovered ? sql`1` : matches(filter)} AS is_found`)
  const [row] = await db.all<{ looked: number; found: number | null }>(sql`
    SELECT count(*) AS looked, sum(is_found) AS found FROM (${rows} LIMIT ${limit})`)
  return { count: row?.found ?? 0, isAll: (row?.looked ?? 0) < limit }
}
