import { sql, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { invalidQuery } from '../http/errors.ts'

/** Keyset pagination for every list: a cursor is the position of the last row that was shown, its time and its id. */
export interface Position {
  readonly at: number
  readonly id: string
}

export interface PageRequest {
  readonly limit: number
  /** `nextCursor` of the page before, under the same filter. */
  readonly cursor?: string | undefined
}

/** The position in a cursor of the form `time_id`. Throws 400 if it cannot be one of ours. */
export function parseCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const [, at, id] = /^(\d{1,15})_(.{1,128})$/su.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw invalidQuery(['cursor: must be the cursor of an earlier page'])
  return { at: Number(at), id }
}

/**
 * Cuts `rows`, which were read with a limit one above the page's, down to the page, and returns the cursor of the next.
 */
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

/** For lists from the newest to the oldest. The query builder has no row values, which SQLite can use an index for. */
export const olderThan = (at: SQLiteColumn, id: SQLiteColumn, position: Position): SQL =>
  sql`(${at}, ${id}) < (${position.at}, ${position.id})`

/** For lists from the oldest to the newest. */
export const newerThan = (at: SQLiteColumn, id: SQLiteColumn, position: Position): SQL =>
  sql`(${at}, ${id}) > (${position.at}, ${position.id})`
