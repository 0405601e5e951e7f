import { sql, type SQL } from 'drizzle-orm'
import { searchWords } from '../db/schema.ts'
import { prefixEnd, spellings } from '../garment/list/plan-scan.ts'
import { inRange, type WordRange } from './word-range.ts'

/**
 * Whether the garment of `entry`, a row of the index that has one word of the search, has the others as well and is not
 * also found by its uuid.
 */
export function foundByWords(tenantId: string, search: string, others: readonly WordRange[]): SQL {
  const notByUuid = spellings(search).map(
    (start) => sql`NOT (entry.uuid >= ${start} AND entry.uuid < ${prefixEnd(start)})`,
  )
  const hasOthers = others.map(
    (range) => sql`EXISTS (
      SELECT 1 FROM ${searchWords} AS own
      WHERE own.tenant_id = ${tenantId} AND own.uuid = entry.uuid AND ${inRange(sql`own.word`, range)})`,
  )
  return sql.join([...notByUuid, ...hasOthers], sql` AND `)
}
