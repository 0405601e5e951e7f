import { type Column, getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from '../../src/platform/db/schema.ts'

/** The columns that say whose a row is. */
const holders = ['tenant_id', 'holder_id']

/** The tables with rows of tenants, by their names in the schema, with the column that says whose a row is. */
export const tenantTables = Object.entries<unknown>(schema).flatMap(([name, table]) => {
  if (!is(table, SQLiteTable)) return []
  const columns: Column[] = Object.values(getTableColumns(table))
  const holder = columns.find((column) => holders.includes(column.name))
  return holder === undefined ? [] : [{ name, table, holder }]
})

const names = tenantTables.map(({ table }) => getTableName(table)).join('|')

const write = new RegExp(`^\\s*(?:UPDATE|DELETE FROM|INSERT(?: OR IGNORE)? INTO)\\s+"?(?:${names})"?\\s(.*)`, 'is')

/** What is about the rows of all tenants. */
const passes = [
  // The keys whose deletion a restored database has forgotten.
  /^delete from "api_keys" where "api_keys"."id" = /,
]

/** Throws if a statement writes rows of a tenant without saying whose, so that it might write another's. */
export function checkStatement(query: string): void {
  const rest = write.exec(query)?.[1]
  if (rest === undefined || passes.some((pass) => pass.test(query))) return
  // Not what the statement returns.
  const condition = rest.replace(/\breturning\b.*$/is, '')
  if (!holders.some((name) => condition.includes(name))) throw new Error(`Names no tenant: ${query}`)
}
