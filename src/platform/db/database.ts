import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import { type Column, fillPlaceholders, getTableColumns, inArray, is, sql, SQL } from 'drizzle-orm'
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'

export type Database = DrizzleD1Database & { readonly $client: D1Database }

/** One client for each binding: it holds no state of a request, and prepared queries belong to it. */
const clients = new WeakMap<D1Database, Database>()

export function openDatabase(binding: D1Database): Database {
  const known = clients.get(binding)
  if (known !== undefined) return known
  const client: Database = drizzle(binding)
  clients.set(binding, client)
  return client
}

const dialect = new SQLiteAsyncDialect()

/**
 * Runs statements that the query builder cannot express in one transaction, and returns their rows. The builder's own
 * `batch` fails on such statements with parameters.
 */
export async function batchRaw(db: Database, statements: readonly SQL[]): Promise<D1Result<Record<string, unknown>>[]> {
  const prepared = statements.map((statement) => {
    const { sql, params } = dialect.sqlToQuery(statement)
    return db.$client.prepare(sql).bind(...params)
  })
  return await db.$client.batch(prepared)
}

export const newId = () => crypto.randomUUID()

/** `inArray` with one parameter for any number of values, because a statement has at most 100 parameters. */
export const inValues = (column: Column, values: readonly string[]): SQL =>
  inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`)

/** Builds a query once for each client, because building one costs more CPU than running it. */
export function prepareOnce<T>(build: (db: Database) => T): (db: Database) => T {
  const prepared = new WeakMap<Database, T>()
  return (db) => {
    const known = prepared.get(db)
    if (known !== undefined) return known
    const query = build(db)
    prepared.set(db, query)
    return query
  }
}

interface Statement {
  readonly toSQL: () => { readonly sql: string; readonly params: unknown[] }
}

/**
 * Runs the statements that `build` makes as one batch, with values for their placeholders. They are built once too.
 * `Row` is what those that return rows return, by the names of the columns.
 */
export function prepareBatchOnce<Row>(build: (db: Database) => readonly Statement[]) {
  const prepared = prepareOnce((db) =>
    build(db).map((statement) => {
      const { sql, params } = statement.toSQL()
      return { statement: db.$client.prepare(sql), params }
    }),
  )
  return async (db: Database, values: Readonly<Record<string, unknown>>): Promise<D1Result<Row>[]> =>
    await db.$client.batch<Row>(
      prepared(db).map(({ statement, params }) => statement.bind(...fillPlaceholders(params, values))),
    )
}

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
