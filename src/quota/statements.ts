import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { storedFiles, tenantCounters } from '../db/schema.ts'
import type { QuotaName, Quotas } from './quotas.ts'

export type Amounts = Readonly<Partial<Record<QuotaName, SQL | number>>>

/** The bytes of the text that a client sent, of a garment or an import line. */
export const textBytesOf = (uuid: SQLWrapper | string, imageUrl: SQLWrapper | string, attribute: SQLWrapper | string) =>
  sql`(octet_length(${uuid}) + octet_length(${imageUrl}) + octet_length(${attribute}))`

/** The same of a row of garments or of import lines. */
export const textBytes = textBytesOf(sql`uuid`, sql`image_url`, sql`attribute`)

const columns = (names: readonly string[]) => sql.raw(names.join(', '))

/**
 * The statement that counts what its batch stores, where `condition` holds. It breaks the batch by the constraint of a
 * quota that the tenant would exceed; `quotaError` says what to do then.
 */
export function addStored(tenantId: string, amounts: Amounts, quotas: Quotas, condition: SQL = sql`1`): SQL {
  const names = Object.keys(amounts) as QuotaName[]
  const values = names.flatMap((name) => [sql`${quotas[name]}`, sql`${amounts[name]}`])
  const changes = names.map((name) =>
    sql.raw(`max_${name} = excluded.max_${name}, ${name} = tenant_counters.${name} + excluded.${name}`),
  )
  return sql`
    INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, ${columns(names.flatMap((name) => [`max_${name}`, name]))})
    SELECT ${tenantId}, 0, 0, ${sql.join(values, sql`, `)} WHERE ${condition}
    ON CONFLICT (tenant_id) DO UPDATE SET ${sql.join(changes, sql`, `)}`
}

/**
 * The statement that counts off what its batch removes. `removed` is a select of `tenant_id` and of the amounts, one
 * row for each tenant.
 */
export function subtractStored(names: readonly QuotaName[], removed: SQL): SQL {
  const changes = names.map((name) => `${name} = max(tenant_counters.${name} - removed.${name}, 0)`)
  return sql`
    UPDATE ${tenantCounters} SET ${columns(changes)} FROM (${removed}) AS removed
    WHERE tenant_counters.tenant_id = removed.tenant_id`
}

/** The same for the rows of a table that its batch deletes, which add up to these amounts. */
export function subtractRows(table: SQLiteTable, areRemoved: SQL, amounts: Amounts): SQL {
  const names = Object.keys(amounts) as QuotaName[]
  const sums = names.map((name) => sql`${amounts[name]} AS ${columns([name])}`)
  return subtractStored(
    names,
    sql`SELECT tenant_id, ${sql.join(sums, sql`, `)} FROM ${table} WHERE ${areRemoved} GROUP BY tenant_id`,
  )
}

/** The statements that count off files that were removed from storage. Safe to repeat. */
export function forgetFiles(files: readonly { readonly tenantId: string; readonly pictureId: string }[]): SQL[] {
  // One parameter for all of them, because a statement has at most 100.
  const keys = JSON.stringify(files.map(({ tenantId, pictureId }) => [tenantId, pictureId]))
  const isRemoved = sql`(tenant_id, picture_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${keys}))`
  return [
    subtractRows(storedFiles, isRemoved, { files: sql`count(*)`, file_bytes: sql`sum(bytes)` }),
    sql`DELETE FROM ${storedFiles} WHERE ${isRemoved}`,
  ]
}
