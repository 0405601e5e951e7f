import { sql } from 'drizzle-orm'
import { ApiError, unauthorized } from '../platform/http/errors.ts'
import { formatCount } from '../platform/format-count.ts'
import { type Database, runBatch } from '../platform/db/database.ts'
import { reservedNumbers, tenantCounters, tenantState } from '../platform/db/schema.ts'

/** Reserved numbers that a tenant may have unused. */
const maxReserved = 10_000

/**
 * Reserves the next stock numbers for blank labels, in one round trip, and returns them. An upload may name one of
 * them. Throws 429 if the tenant would have more than 10,000 unused numbers, and 401 if the tenant was deleted.
 */
export async function reserveNumbers(db: Database, tenantId: string, count: number): Promise<number[]> {
  const { reserved, tenant } = await runBatch(db, {
    counted: sql`
      INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, last_number)
      SELECT tenant_id, 0, 0, ${count} FROM ${tenantState} WHERE tenant_id = ${tenantId}
        AND (SELECT count(*) FROM ${reservedNumbers} WHERE tenant_id = ${tenantId}) <= ${maxReserved - count}
      ON CONFLICT (tenant_id) DO UPDATE SET last_number = last_number + ${count}`,
    reserved: sql<{ number: number }>`
      INSERT INTO ${reservedNumbers} (tenant_id, number)
      WITH RECURSIVE later(step) AS (SELECT 0 UNION ALL SELECT step + 1 FROM later WHERE step < ${count - 1})
      SELECT tenant_id, last_number - step FROM ${tenantCounters} CROSS JOIN later
      WHERE tenant_id = ${tenantId} AND changes() > 0
      RETURNING number`,
    tenant: sql<{ exists: number }>`SELECT 1 AS "exists" FROM ${tenantState} WHERE tenant_id = ${tenantId}`,
  })
  if (tenant.length === 0) throw unauthorized()
  if (reserved.length === 0)
    throw new ApiError('too_many_waiting', 'Too many reserved numbers', [
      `At most ${formatCount(maxReserved)} numbers may be reserved and unused; use up the labels that you have printed.`,
    ])
  return reserved.map(({ number }) => number).toSorted((a, b) => a - b)
}
