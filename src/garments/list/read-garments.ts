import { and, asc, eq, gte, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { readInSteps } from '../../platform/limits/step-size.ts'
import type { Database } from '../../platform/db/database.ts'
import { cutPage, newerThan, type PageRequest, parseCursor, type Position } from '../../platform/db/page.ts'
import { garments } from '../../platform/db/schema.ts'
import { type GarmentRow, resultColumns } from '../garment.ts'
import { hasTurn, isInBacklog, waitsForRetry } from '../turns.ts'

export const maxExportPage = 1000

const maxRowsInStep = 100

export interface ExportFilter {
  /** `waiting` is queuing or processing. */
  readonly status?: GarmentRow['status'] | 'waiting' | undefined
  /** When the garments were uploaded, ms since the epoch; `fromMs` inclusive, `untilMs` exclusive. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
}

const columns = {
  ...resultColumns,
  createdAt: garments.createdAt,
  endedAt: garments.endedAt,
  doubt: garments.doubt,
  searchText: garments.searchText,
  price: garments.price,
  exports: garments.exports,
}

export type ExportedRow = Awaited<ReturnType<typeof exportGarments>>['rows'][number]

/**
 * A page of a tenant's garments, oldest first. A garment keeps its position while it is tagged, and later uploads
 * come after it, so that the pages contain every garment exactly once.
 */
export async function exportGarments(db: Database, tenantId: string, filter: ExportFilter & PageRequest) {
  const { status, fromMs, untilMs, limit } = filter
  const position = parseCursor(filter.cursor)
  // One lower bound only, because of two SQLite would start at the first and read all rows between.
  const start = position === undefined ? fromMs && gte(garments.createdAt, fromMs) : newer(position)
  const end = untilMs === undefined ? undefined : lt(garments.createdAt, untilMs)
  const having = (state: SQL | undefined) =>
    db
      .select(columns)
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), state, start || undefined, end))
  // Not as parameters, with which SQLite takes no partial index.
  const ended = (state: SQL) => having(and(isNotNull(garments.endedAt), state))
  // Sorted by SQLite, since their indexes have another order; `MAX_WAITING_GARMENTS` limits how many there are. The
  // lower bound keeps SQLite from scanning all of the tenant's garments.
  const hasStatus = status === undefined || status === 'waiting' ? undefined : eq(garments.status, status)
  const active = (state: SQL) => having(and(state, isNull(garments.endedAt), hasStatus))
  // `due_at > 0` makes SQLite choose the indexes.
  const waiting = unionAll(
    active(isInBacklog),
    active(sql`${hasTurn} AND due_at > 0`),
    active(sql`${waitsForRetry} AND due_at > 0`),
  )

  const found =
    status === undefined
      ? unionAll(waiting, ended(sql`1`))
      : status === 'complete' || status === 'failed'
        ? ended(status === 'failed' ? sql`status = 'failed'` : sql`status = 'complete'`)
        : waiting
  const rows = await found.orderBy(asc(garments.createdAt), asc(garments.uuid)).limit(limit + 1)
  return cutPage(rows, limit, positionOf)
}

/** Yields the garments of a page in at least one step, each of few enough to hold them in memory. */
export const readSteps = (db: Database, tenantId: string, { limit, cursor, ...filter }: ExportFilter & PageRequest) =>
  readInSteps(
    { limit, cursor, maxRows: maxRowsInStep },
    async (next, rows) => await exportGarments(db, tenantId, { ...filter, cursor: next, limit: rows }),
    ({ attribute, pictures }) => attribute.length + pictures.length,
  )

/** Where a garment stands in the order of the export. */
export const positionOf = ({ createdAt, uuid }: { readonly createdAt: number; readonly uuid: string }): Position => ({
  at: createdAt,
  id: uuid,
})

const newer = (position: Position) => newerThan(garments.createdAt, garments.uuid, position)
