import { sql } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments, searchWords } from '../db/schema.ts'
import { countGarments, maxCounted, type GarmentCount } from '../garment/list/count-garments.ts'
import type { GarmentFilter } from '../garment/list/list-garments.ts'
import { matches } from '../garment/list/matches.ts'
import { planScan } from '../garment/list/plan-scan.ts'
import { termsOf } from '../garment/words.ts'
import { foundByWords } from './found-by-words.ts'
import { inRange, splitTerms } from './word-range.ts'

type CountedFilter = Omit<GarmentFilter, 'limit' | 'cursor' | 'sort'>

/**
 * How many garments a filter finds, with a search about: the index has words of former values, too. Reads at most
 * `maxCounted` rows, of indexes too: first of the garments whose uuid begins with the search, and then of its words, as
 * many entries as that leaves. Nothing that was read is stored and read again, since that would count once more.
 */
export async function countFound(db: Database, tenantId: string, filter: CountedFilter): Promise<GarmentCount> {
  const { search, ...others } = filter
  const terms = search === undefined ? [] : termsOf(search)
  if (search === undefined || terms.length === 0) return await countGarments(db, tenantId, filter)
  const hasOthers = Object.values(others).some((value) => value !== undefined && value !== false)
  // A garment's row is found by an entry of an index.
  const ofRow = hasOthers ? 2 : 0
  const readByUuid = 1 + (hasOthers ? 1 : 0)
  const readByWord = terms.length + ofRow
  const maxByUuid = Math.floor(maxCounted / readByUuid)

  const byUuid = planScan({ search, limit: 1 }).scans.map(
    ({ where }) => sql`
      SELECT ${matches(others)} AS is_found FROM ${garments} WHERE ${garments.tenantId} = ${tenantId} AND ${where}`,
  )
  const { scanned, others: otherRanges } = splitTerms(terms)
  const isFound = [
    foundByWords(tenantId, search, otherRanges),
    ...(hasOthers
      ? [
          sql`EXISTS (
            SELECT 1 FROM ${garments}
            WHERE ${garments.tenantId} = ${tenantId} AND ${garments.uuid} = entry.uuid AND ${matches(others)})`,
        ]
      : []),
  ]
  const [row] = await db.all<{ found: number; looked: number; room: number; byUuid: number }>(sql`
    WITH by_uuid AS MATERIALIZED (
      SELECT count(*) AS looked, coalesce(sum(is_found), 0) AS found
      FROM (${sql.join(byUuid, sql` UNION ALL `)} LIMIT ${maxByUuid})),
    room AS MATERIALIZED (
      SELECT CAST((${maxCounted} - looked * ${readByUuid}) / ${readByWord} AS INTEGER) AS entries FROM by_uuid)
    SELECT
      (SELECT found FROM by_uuid) + count(DISTINCT iif(${sql.join(isFound, sql` AND `)}, uuid, NULL)) AS found,
      count(*) AS looked, (SELECT entries FROM room) AS room, (SELECT looked FROM by_uuid) AS byUuid
    FROM (
      SELECT uuid FROM ${searchWords} WHERE tenant_id = ${tenantId} AND ${inRange(sql`word`, scanned)}
      LIMIT (SELECT entries FROM room)
    ) AS entry`)
  if (row === undefined) return { count: 0, isAll: false }
  return { count: row.found, isAll: row.byUuid < maxByUuid && row.looked < row.room }
}
