import { drizzle, type DrizzleD1Database } from 'drizzle-orm/d1'
import {
  Column,
  eq,
  isNull,
  fillPlaceholders,
  getTableColumns,
  inArray,
  is,
  type Query,
  sql,
  SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core'

export type Database = DrizzleD1Database & { readonly $client: D1Database }

/** Requests share one client for each binding, because a client has no state of its own. */
const clients = new WeakMap<D1Database, Database>()

export function openDatabase(binding: D1Database): Database {
  const known = clients.get(binding)
  if (known !== undefined) return known
  const client: Database = drizzle(binding)
  clients.set(binding, client)
  return client
}

export const newId = () => crypto.randomUUID()

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** Each letter has 5 random bits. */
export const randomLetters = (count: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => letters[byte % letters.length]).join('')

/** `inArray` with one parameter for any number of values, because a statement has at most 100 parameters. */
export const inValues = (column: Column, values: readonly (string | number)[]): SQL =>
  inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`)

/** Compares several columns with the values of any number of rows, also in one parameter. */
export function inRows(columns: readonly string[], rows: readonly (readonly unknown[])[]): SQL {
  const values = sql.raw(columns.map((_, i) => `value ->> ${i}`).join(', '))
  return sql`(${sql.raw(columns.join(', '))}) IN (SELECT ${values} FROM json_each(${JSON.stringify(rows)}))`
}

/** Returns the condition that a table has a row for which `where` holds. */
export const hasRow = (table: SQLiteTable | SQL, where: SQL | undefined) =>
  sql<number>`EXISTS (SELECT 1 FROM ${table} WHERE ${where})`

/** Compares a column with a value that may be null. */
export const hasValue = (column: Column, value: string | number | null) =>
  value === null ? isNull(column) : eq(column, value)

/** The condition that the previous statement of the batch has changed a row. */
export const hasChanged = sql<boolean>`changes() > 0`

/** Adds a number to a column. */
export const plus = (column: Column, added: number) => sql<number>`${column} + ${added}`

/** Joins expressions with commas. */
export const list = (parts: readonly SQLWrapper[]): SQL => sql.join([...parts], sql`, `)

/** Lists columns under the names of their fields. */
export const namedColumns = (columns: Readonly<Record<string, SQLWrapper>>): SQL =>
  list(Object.entries(columns).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`))

/** A table with one row, for queries that need none. */
export const oneRow = sql`(SELECT 1)`

/** A query of drizzle's builder, or SQL that the builder cannot express. */
type Statement = BuilderQuery | SQL

interface BuilderQuery extends BatchItem<'sqlite'> {
  readonly prepare: () => {
    readonly getQuery: () => Query
    readonly mapResult: (response: unknown, isFromBatch?: boolean) => unknown
  }
}

/** Statements by the names of their results. Several of one name return what the last of them returns. */
type Statements = Readonly<Record<string, Statement | readonly Statement[]>>

type Result<T> = T extends readonly []
  ? undefined
  : T extends readonly [...unknown[], infer Last]
    ? Result<Last>
    : T extends readonly (infer Each)[]
      ? Result<Each> | undefined
      : T extends SQL<infer Row>
        ? Row[]
        : T extends BuilderQuery
          ? T['_']['result']
          : never

type Results<T extends Statements> = { readonly [Name in keyof T]: Result<T[Name]> }

const dialect = new SQLiteAsyncDialect()

const prepareRaw = (statement: SQL) => ({
  query: dialect.sqlToQuery(statement),
  toRows: (result: D1Result): unknown => result.results,
})

function prepareBuilt(statement: BuilderQuery) {
  const prepared = statement.prepare()
  return { query: prepared.getQuery(), toRows: (result: D1Result) => prepared.mapResult(result, true) }
}

type Client = Pick<D1Database, 'prepare' | 'batch'>

const toPrepared = (named: Statements) =>
  Object.entries(named).flatMap(([name, statements]) =>
    [statements].flat().map((statement) => ({
      name,
      ...(is(statement, SQL) ? prepareRaw(statement) : prepareBuilt(statement)),
    })),
  )

async function runPrepared<T extends Statements>(
  client: Client,
  prepared: ReturnType<typeof toPrepared>,
  values: Readonly<Record<string, unknown>>,
): Promise<Results<T>> {
  const results = await client.batch(
    prepared.map(({ query }) => client.prepare(query.sql).bind(...fillPlaceholders(query.params, values))),
  )
  const rows = results.map((result, i) => [prepared[i]?.name, prepared[i]?.toRows(result)])
  return Object.fromEntries(rows) as Results<T>
}

/**
 * Runs named statements in one transaction, in the order of their names. Returns the rows by name. If a name has
 * several statements, the last one's rows are returned, or undefined if the list is empty. A builder statement
 * without `returning` returns its `meta`.
 */
export const runBatch = async <const T extends Statements>(db: Database, named: T) =>
  await runPrepared<T>(db.$client, toPrepared(named), {})

/** Builds statements that any database runs later. */
const builder = openDatabase({ prepare: () => ({}) } as unknown as D1Database)

/**
 * Builds a batch once, because building a statement costs more CPU than running it. Returns a function that runs the
 * batch with values for its placeholders.
 */
export function prepareBatchOnce<const T extends Statements>(build: (db: Database) => T) {
  let prepared: ReturnType<typeof toPrepared> | undefined
  return async (db: Database, values: Readonly<Record<string, unknown>>) =>
    await runPrepared<T>(db.$client, (prepared ??= toPrepared(build(builder))), values)
}

/** Like `prepareBatchOnce`, for one query. Its columns must be named like the fields of its rows. */
export function prepareQueryOnce<Row>(build: () => SQL<Row>) {
  let prepared: Query | undefined
  return async (client: Pick<Client, 'prepare'>, values: Readonly<Record<string, unknown>>) => {
    prepared ??= dialect.sqlToQuery(build())
    return await client
      .prepare(prepared.sql)
      .bind(...fillPlaceholders(prepared.params, values))
      .all<Row>()
  }
}

type RowValues<T extends SQLiteTable> = {
  readonly [Name in keyof T['$inferSelect']]: T['$inferSelect'][Name] | SQL | Column
}

type RowSelection<T extends SQLiteTable> = {
  [Column in keyof T['$inferSelect']]: SQL.Aliased<T['$inferSelect'][Column]>
}

/**
 * Turns a row into the fields of a `select`, for an `insert ... select` with a condition:
 * `db.insert(table).select(db.select(selectValues(table, row)).from(other).where(condition))`.
 */
export function selectValues<T extends SQLiteTable>(table: T, row: RowValues<T>): RowSelection<T> {
  // The builder compares the order of the fields with that of the table's columns.
  const fields = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value: unknown = row[name as keyof typeof row]
    const expression = is(value, SQL) ? value : sql`${is(value, Column) ? value : sql.param(value, column)}`
    return [name, expression.as(column.name)]
  })
  return Object.fromEntries(fields) as RowSelection<T>
}

/** Selects one row of these values if the condition holds, for a conditional `insert ... select`. */
export const selectRow = <T extends SQLiteTable>(db: Database, table: T, row: RowValues<T>, when: SQL | undefined) =>
  db.select(selectValues(table, row)).from(oneRow).where(when)
