import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { invalidQuery } from '../http/errors.ts'

/** Time and id of the last row of a page. The next page's cursor contains them. */
export interface Position {
  readonly at: number
  readonly id: string
}

export interface PageRequest {
  readonly limit: number
  /** `nextCursor` of the previous page with the same filter. */
  readonly cursor?: string | undefined
}

/** Parses a cursor of the form `time_id`. Throws 400 for any other text. */
export function parseCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = /^(\d{1,15})_(.{1,128})$/su.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw invalidQuery(['cursor: must be the cursor of an earlier page'])
  return { at: Number(at), id }
}

/** Returns at most `limit` rows and the cursor of the next page. `rows` must be read with `limit` + 1. */
export function cutPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): { readonly rows: Row[]; readonly nextCursor: string | null } {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (last === undefined || rows.length <= limit) return { rows: page, nextCursor: null }
  return { rows: page, nextCursor: cursorOf(positionOf(last)) }
}

export const cursorOf = ({ at, id }: Position): string => `${at}_${id}`

/** For lists, newest first. Compares row values, for which SQLite uses an index and which the query builder lacks. */
export const olderThan = (at: SQLiteColumn, id: SQLiteColumn, position: Position): SQL =>
  sql`(${at}, ${id}) < (${position.at}, ${position.id})`

/** For lists, oldest first. */
export const newerThan = (at: SQLiteColumn, id: SQLiteColumn, position: Position): SQL =>
  sql`(${at}, ${id}) > (${position.at}, ${position.id})`
