import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { deliveries, deliveryAttempts, garments } from '../../../src/platform/db/schema.ts'

/** As long as a UUID. */
const random = sql`lower(hex(randomblob(18)))`

/** By table, the columns that are not the same in each copy. */
const varied = [
  [garments, { uuid: random, picture_id: random }],
  [deliveries, { number: sql`1 + i`, id: random, garment_uuid: random }],
  [deliveryAttempts, { delivery_id: random }],
] as const

/**
 * Copies the only garment of a database, with its delivery and its attempt, `count` times: quicker than making each.
 */
export async function copyGarment(binding: D1Database, count: number): Promise<void> {
  const db = openDatabase(binding)
  for (const [table, values] of varied) await db.run(copyStatement(table, values, count))
}

function copyStatement(table: SQLiteTable, values: Readonly<Record<string, unknown>>, count: number) {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name)
  const columns = sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )
  const copied = sql.join(
    names.map((name) => sql`${values[name] ?? sql.identifier(name)}`),
    sql`, `,
  )
  return sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO ${sql.identifier(getTableName(table))} (${columns})
    SELECT ${copied} FROM ${sql.identifier(getTableName(table))} CROSS JOIN n`
}
