import { sql, type SQL } from 'drizzle-orm'
import { garments, importLines } from '../db/schema.ts'
import { isInDoubt, storedColumns } from '../garment/doubt.ts'

/** The reviewer's filter of doubtful garments. */
export interface ReviewFilter {
  /** Only those where this attribute is in doubt. */
  readonly attribute?: string | undefined
  /** Only those of this import. */
  readonly importId?: string | undefined
}

/** How many of the most doubtful garments are searched for those where one attribute is in doubt. */
const maxLookedThrough = 2000

export const mostDoubtful = sql`doubt DESC, colour DESC, created_at DESC, uuid DESC`

/**
 * Selects the columns of a tenant's garments in doubt. A filter is applied to a bounded part of them: to the lines of
 * one import, or to the most doubtful ones.
 */
export function doubtfulGarments(tenantId: string, { attribute, importId }: ReviewFilter, condition: SQL): SQL {
  const columns = sql`uuid, tag, corrections, details, doubt, colour, created_at`
  const all = sql`FROM ${garments} INDEXED BY garments_by_doubt
    WHERE tenant_id = ${tenantId} AND tag IS NOT NULL AND doubt > 0 AND ${condition}`
  const matches = attribute === undefined ? sql`1` : isInDoubt(attribute, storedColumns)
  if (importId !== undefined)
    return sql`SELECT ${columns} FROM ${garments}
      WHERE tenant_id = ${tenantId} AND doubt > 0 AND ${condition} AND ${matches} AND uuid IN (
        SELECT uuid FROM ${importLines} WHERE tenant_id = ${tenantId} AND import_id = ${importId})`
  if (attribute === undefined) return sql`SELECT ${columns} ${all}`
  return sql`SELECT * FROM (SELECT ${columns} ${all} ORDER BY ${mostDoubtful} LIMIT ${maxLookedThrough}) WHERE ${matches}`
}
