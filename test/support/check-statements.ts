import { type Column, getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../src/platform/db/schema.ts'

/** Columns that contain the tenant of a row. */
const holders = ['tenant_id', 'holder_id']

/** Tables with rows of tenants: name in the schema, and the column that contains the tenant. */
export const tenantTables = Object.entries<unknown>(schema).flatMap(([name, table]) => {
  if (!is(table, SQLiteTable)) return []
  const columns: Column[] = Object.values(getTableColumns(table))
  const holder = columns.find((column) => holders.includes(column.name))
  return holder === undefined ? [] : [{ name, table, holder }]
})

const names = tenantTables.map(({ table }) => getTableName(table)).join('|')

const write = new RegExp(`^\\s*(?:UPDATE|DELETE FROM|INSERT(?: OR IGNORE)? INTO)\\s+"?(?:${names})"?\\s(.*)`, 'is')

/** Statements that concern rows of all tenants. */
const passes = [
  // Deletes API keys again that a restored database has brought back.
  /^delete from "api_keys" where "api_keys"."id" = /,
]

/**
 * Throws if a statement writes rows of tenants without naming the tenant, because it could write another tenant's rows.
 */
export function checkStatement(query: string): void {
  const rest = write.exec(query)?.[1]
  if (rest === undefined || passes.some((pass) => pass.test(query))) return
  // Excludes the RETURNING clause.
  const condition = rest.replace(/\breturning\b.*$/is, '')
  if (!holders.some((name) => condition.includes(name))) throw new Error(`Names no tenant: ${query}`)
}
