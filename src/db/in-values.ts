import { inArray, sql, type Column, type SQL } from 'drizzle-orm'

/** `inArray` with one parameter for any number of values, because a statement has at most 100 parameters. */
export const inValues = (column: Column, values: readonly string[]): SQL =>
  inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`)
