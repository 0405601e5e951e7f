import { and, asc, eq, gt, gte, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { readInSteps } from '../../platform/limits/step-size.ts'
import type { Database } from '../../platform/db/database.ts'
import { cutPage, newerThan, type PageRequest, parseCursor, type Position } from '../../platform/db/page.ts'
import { garments } from '../../platform/db/schema.ts'
import { type GarmentRow, resultColumns } from '../garment.ts'
import { hasTurn, isInBacklog, waitsForRetry } from '../turns.ts'
import { isFailed } from './scans.ts'

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

/** Lists a page of garments, oldest first. Garments keep their positions, so the pages contain each exactly once. */
export async function exportGarments(db: Database, tenantId: string, filter: ExportFilter & PageRequest) {
  const { status, fromMs, untilMs, limit } = filter
  const position = parseCursor(filter.cursor)
  // Has one lower bound, because SQLite would start at the first of two and read all rows between them.
  const start = position === undefined ? fromMs && gte(garments.createdAt, fromMs) : newer(position)
  const end = untilMs === undefined ? undefined : lt(garments.createdAt, untilMs)
  const having = (state: SQL | undefined) =>
    db
      .select(columns)
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), state, start || undefined, end))
  // Literal conditions, because SQLite uses no partial index for parameters.
  const ended = (state?: SQL) => having(and(isNotNull(garments.endedAt), state))
  // Sorted by SQLite, since their indexes have another order; `MAX_WAITING_GARMENTS` limits how many there are. The
  // lower bound keeps SQLite from scanning all of the tenant's garments.
  const hasStatus = status === undefined || status === 'waiting' ? undefined : eq(garments.status, status)
  const active = (state: SQL | undefined) => having(and(state, isNull(garments.endedAt), hasStatus))
  // `due_at > 0` makes SQLite choose the indexes.
  const waiting = unionAll(
    active(isInBacklog),
    active(and(hasTurn, gt(garments.dueAt, 0))),
    active(and(waitsForRetry, gt(garments.dueAt, 0))),
  )

  const found =
    status === undefined
      ? unionAll(waiting, ended())
      : status === 'complete' || status === 'failed'
        ? ended(status === 'failed' ? isFailed : sql`status = 'complete'`)
        : waiting
  const rows = await found.orderBy(asc(garments.createdAt), asc(garments.uuid)).limit(limit + 1)
  return cutPage(rows, limit, positionOf)
}

/** Yields a page of garments in steps that fit into memory. */
export const readSteps = (db: Database, tenantId: string, { limit, cursor, ...filter }: ExportFilter & PageRequest) =>
  readInSteps(
    { limit, cursor, maxRows: maxRowsInStep },
    async (next, rows) => await exportGarments(db, tenantId, { ...filter, cursor: next, limit: rows }),
    ({ attribute, pictures }) => attribute.length + pictures.length,
  )

export const positionOf = ({ createdAt, uuid }: { readonly createdAt: number; readonly uuid: string }): Position => ({
  at: createdAt,
  id: uuid,
})

const newer = (position: Position) => newerThan(garments.createdAt, garments.uuid, position)
