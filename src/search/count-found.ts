import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments, searchWords } from '../db/schema.ts'
import { countGarments, maxCounted, type GarmentCount } from '../garment/list/count-garments.ts'
import type { GarmentFilter } from '../garment/list/list-garments.ts'
import { matches } from '../garment/list/matches.ts'
import { planScan } from '../garment/list/plan-scan.ts'
import { termsOf } from '../garment/words.ts'
import { inRange, rangeOf } from './word-range.ts'

type CountedFilter = Omit<GarmentFilter, 'limit' | 'cursor' | 'sort'>

/**
 * How many garments a filter finds, with a search about: words of former values stay in the index. Reads at most
 * `maxCounted` entries of indexes, and no more rows than that.
 */
export async function countFound(db: Database, tenantId: string, filter: CountedFilter): Promise<GarmentCount> {
  const { search, ...others } = filter
  const terms = search === undefined ? [] : termsOf(search)
  if (search === undefined || terms.length === 0) return await countGarments(db, tenantId, filter)
  const hasOthers = Object.values(others).some((value) => value !== undefined && value !== false)
  // Each entry leads to one more look-up at the most: in the list of another word, or of its garment's row.
  const limit = Math.floor(maxCounted / (terms.length + 1) / (hasOthers ? 2 : 1))
  const { scans } = planScan({ search, limit: 1 })
  const byUuid = scans.map(
    ({ where }) => sql`SELECT uuid FROM ${garments} WHERE ${garments.tenantId} = ${tenantId} AND ${where}`,
  )
  const ofWord = terms.map((term, i) => {
    const range = rangeOf(term, i === terms.length - 1)
    return sql`${sql.identifier(`word${i}`)} AS MATERIALIZED (
      SELECT uuid FROM ${searchWords} WHERE tenant_id = ${tenantId} AND ${inRange(sql`word`, range)} LIMIT ${limit})`
  })
  const words = terms.map((_, i) => sql`SELECT uuid FROM ${sql.identifier(`word${i}`)}`)
  const looked = terms.map((_, i) => sql`(SELECT count(*) FROM ${sql.identifier(`word${i}`)})`)
  const [row] = await db.all<{ found: number; looked: number }>(sql`
    WITH by_uuid AS MATERIALIZED (${sql.join(byUuid, sql` UNION ALL `)} LIMIT ${limit}),
      ${sql.join(ofWord, sql`, `)},
      by_words AS (${sql.join(words, sql` INTERSECT `)}),
      all_found AS (SELECT uuid FROM by_uuid UNION SELECT uuid FROM by_words)
    SELECT
      ${
        hasOthers
          ? sql`(
              SELECT count(*) FROM all_found CROSS JOIN ${garments} ON ${garments.tenantId} = ${tenantId}
                AND ${garments.uuid} = all_found.uuid AND ${matches(others)})`
          : sql`(SELECT count(*) FROM all_found)`
      } AS found,
      max((SELECT count(*) FROM by_uuid), ${sql.join(looked, sql`, `)}) AS looked`)
  return { count: row?.found ?? 0, isAll: (row?.looked ?? 0) < limit }
}
