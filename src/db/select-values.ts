import { getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './client.ts'

type RowValues<T extends SQLiteTable> = {
  readonly [Column in keyof T['$inferSelect']]: T['$inferSelect'][Column] | SQL
}

type RowSelection<T extends SQLiteTable> = {
  [Column in keyof T['$inferSelect']]: SQL.Aliased<T['$inferSelect'][Column]>
}

/**
 * The values of a whole row as the fields of a `select`, for a conditional `insert ... select`:
 * `db.insert(table).select(db.select(selectValues(table, row)).from(other).where(condition))`.
 */
export function selectValues<T extends SQLiteTable>(table: T, row: RowValues<T>): RowSelection<T> {
  // The builder compares the order of the fields with that of the table's columns.
  const fields = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value: unknown = row[name as keyof typeof row]
    const expression = is(value, SQL) ? value : sql`${sql.param(value, column)}`
    return [name, expression.as(column.name)]
  })
  return Object.fromEntries(fields) as RowSelection<T>
}

/** One row of these values, or none unless the condition holds; also for a conditional `insert ... select`. */
export const selectRow = <T extends SQLiteTable>(db: Database, table: T, row: RowValues<T>, when: SQL | undefined) =>
  db
    .select(selectValues(table, row))
    .from(sql`(SELECT 1)`)
    .where(when)
