import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { list } from './database.ts'
import { quotaNames, tenantCounters, tenantState } from './schema.ts'

export type QuotaName = (typeof quotaNames)[number]

export type Amounts = Readonly<Partial<Record<QuotaName, SQL | number>>>

/**
 * Bytes counted for a row besides its texts: ids, numbers, index entries and later additions. For a garment, these
 * include its result, its search terms and its deliveries.
 */
export const fixedRowBytes = {
  garments: 2500,
  pictures: 400,
  import_lines: 300,
  imports: 1000,
  stored_files: 200,
  deliveries: 500,
  delivery_attempts: 250,
  audit_entries: 500,
} as const

const octets = (text: string) => new TextEncoder().encode(text).length

/** Returns the bytes of texts in UTF-8. */
export const textBytesOf = (...texts: readonly string[]) => texts.reduce((sum, text) => sum + octets(text), 0)

/** Returns the bytes that a row counts against the quota of its tenant. */
export const rowBytesOf = (table: keyof typeof fixedRowBytes, ...texts: readonly string[]) =>
  fixedRowBytes[table] + textBytesOf(...texts)

/** Selects the bytes of all rows that a condition finds, without their texts. */
export const bytesOfRows = (table: keyof typeof fixedRowBytes) => sql`count(*) * ${fixedRowBytes[table]}`

export const columns = (names: readonly string[]) => sql.raw(names.join(', '))

/** For the conflict clause of a statement that adds `excluded.grown_bytes` on the day `excluded.grown_day`. */
export const addGrowth = sql.raw(
  `grown_bytes = iif(tenant_counters.grown_day = excluded.grown_day, tenant_counters.grown_bytes, 0) +
    excluded.grown_bytes, grown_day = excluded.grown_day`,
)

/** Limit of a tenant that has uploaded nothing yet. Its first upload sets the real one. */
const unknownLimit = 1_000_000_000_000

/**
 * Returns the statement that counts rows that the service must write, if `condition` holds. It raises the limit instead
 * of breaking the batch. The sweep then removes the tenant's oldest records (`operations/trim-records.ts`).
 */
export const addRequired = (tenantId: string | SQLWrapper, bytes: number | SQL, condition: SQL = sql`1`): SQL => sql`
  INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, row_bytes, max_row_bytes)
  SELECT tenant_id, 0, 0, bytes, ${unknownLimit} FROM ${tenantState} CROSS JOIN (SELECT ${bytes} AS bytes)
  WHERE tenant_id = ${tenantId} AND bytes > 0 AND ${condition}
  ON CONFLICT (tenant_id) DO UPDATE SET
    row_bytes = tenant_counters.row_bytes + excluded.row_bytes,
    is_over_quota = tenant_counters.is_over_quota
      OR tenant_counters.row_bytes + excluded.row_bytes > tenant_counters.max_row_bytes,
    max_row_bytes = max(tenant_counters.max_row_bytes, tenant_counters.row_bytes + excluded.row_bytes)`

/** Returns the statement that adds `added` bytes of labels' crops, or subtracts them, if `condition` holds. */
export const addCropBytes = (tenantId: string, added: number, condition: SQL | undefined): SQL => sql`
  UPDATE ${tenantCounters}
  SET file_bytes = max(file_bytes + ${added}, 0), max_file_bytes = max(max_file_bytes, file_bytes + ${added})
  WHERE tenant_id = ${tenantId} AND ${condition}`

/** `removed` selects `tenant_id` and the amounts, one row for each tenant. */
export function subtractStored(names: readonly QuotaName[], removed: SQL): SQL {
  const changes = names.map((name) => `${name} = max(tenant_counters.${name} - removed.${name}, 0)`)
  return sql`
    UPDATE ${tenantCounters} SET ${columns(changes)} FROM (${removed}) AS removed
    WHERE tenant_counters.tenant_id = removed.tenant_id`
}

/**
 * Subtracts the sums of `amounts` over the rows for which `areRemoved` holds. Must precede the statement that removes
 * the rows. `tenantId` is the column with the tenant's id.
 */
export function subtractRows(
  table: SQLiteTable,
  areRemoved: SQL | undefined,
  amounts: Amounts,
  tenantId: SQLWrapper = sql.raw('tenant_id'),
) {
  const names = Object.keys(amounts) as QuotaName[]
  const sums = names.map((name) => sql`${amounts[name]} AS ${columns([name])}`)
  return subtractStored(
    names,
    sql`SELECT ${tenantId} AS tenant_id, ${list(sums)} FROM ${table} WHERE ${areRemoved} GROUP BY ${tenantId}`,
  )
}
