import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import { ApiError, unauthorized } from '../platform/http/errors.ts'
import { formatCount } from '../platform/format-count.ts'
import { type Database, hasChanged, inValues, runBatch } from '../platform/db/database.ts'
import { garments, reservedNumbers, tenantCounters, tenantState } from '../platform/db/schema.ts'

const maxReserved = 10_000

/** Labels that are printed at once: ten sheets of 40. One call reserves no more numbers. */
export const maxLabelsAtOnce = 400

export const tooManyReserved = () =>
  new ApiError(
    'too_many_waiting',
    'Too many reserved numbers',
    [
      `At most ${formatCount(maxReserved)} numbers may be reserved and unused; use up the labels that you have printed.`,
    ],
    { 'Retry-After': '60' },
  )

/** Throws 429 above `maxReserved`, and 401 if the tenant was deleted. */
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
      WHERE tenant_id = ${tenantId} AND ${hasChanged}
      RETURNING number`,
    tenant: db.select({ tenantId: tenantState.tenantId }).from(tenantState).where(eq(tenantState.tenantId, tenantId)),
  })
  if (tenant.length === 0) throw unauthorized()
  if (reserved.length === 0) throw tooManyReserved()
  return reserved.map(({ number }) => number).toSorted((a, b) => a - b)
}

/** Lists the unused numbers among `count` numbers from `first` on, to print their labels again. */
export async function listReserved(db: Database, tenantId: string, first: number, count: number): Promise<number[]> {
  const { number } = reservedNumbers
  const rows = await db
    .select({ number })
    .from(reservedNumbers)
    .where(and(eq(reservedNumbers.tenantId, tenantId), gte(number, first), lt(number, first + count)))
    .orderBy(asc(number))
  return rows.map((row) => row.number)
}

/** Selects which stock numbers are reserved, and which garments have the others. Omits unknown numbers. */
export const numberQueries = (db: Database, tenantId: string, numbers: readonly number[]) => ({
  used: db
    .select({ number: garments.number, uuid: garments.uuid })
    .from(garments)
    .where(and(eq(garments.tenantId, tenantId), inValues(garments.number, numbers))),
  reserved: db
    .select({ number: reservedNumbers.number })
    .from(reservedNumbers)
    .where(and(eq(reservedNumbers.tenantId, tenantId), inValues(reservedNumbers.number, numbers))),
})

export async function findNumbers(db: Database, tenantId: string, numbers: readonly number[]) {
  const { used, reserved } = await runBatch(db, numberQueries(db, tenantId, numbers))
  return { used, reserved: reserved.map(({ number }) => number) }
}
