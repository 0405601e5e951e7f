import { and, asc, eq, gte, isNotNull, isNull, lt, type SQL } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { cutPage, newerThan, parseCursor, type PageRequest } from '../db/page.ts'
import { garments } from '../db/schema.ts'
import type { GarmentRow } from '../garment/result.ts'

export const maxExportPage = 1000

export interface ExportFilter {
  readonly status?: GarmentRow['status'] | undefined
  /** Of the upload, ms since the epoch; `fromMs` inclusive, `untilMs` exclusive. */
  readonly fromMs?: number | undefined
  readonly untilMs?: number | undefined
}

/**
 * A page of a tenant's garments, oldest first. A garment keeps its place while it is tagged, and whatever is uploaded
 * meanwhile comes after it, so that walking the pages comes to every garment once.
 */
export async function exportGarments(db: Database, tenantId: string, filter: ExportFilter & PageRequest) {
  const { status, fromMs, untilMs, limit } = filter
  const place = parseCursor(filter.cursor)
  // One lower bound only, because of two SQLite would start at the first and read all rows between.
  const start = place === undefined ? fromMs && gte(garments.createdAt, fromMs) : newer(place)
  const end = untilMs === undefined ? undefined : lt(garments.createdAt, untilMs)
  const oldest = (state: SQL | undefined) =>
    db
      .select()
      .from(garments)
      .where(and(eq(garments.tenantId, tenantId), state, start || undefined, end))
      .orderBy(asc(garments.createdAt), asc(garments.uuid))
      .limit(limit + 1)
  const ended = (as: 'complete' | 'failed') => oldest(and(isNotNull(garments.endedAt), eq(garments.status, as)))
  // Sorted by SQLite, since their index is by `dueAt`; `MAX_WAITING_GARMENTS` limits how many there are.
  const active = oldest(and(isNotNull(garments.dueAt), isNull(garments.endedAt), status && eq(garments.status, status)))

  const lists =
    status === 'complete' || status === 'failed'
      ? [await ended(status)]
      : status === undefined
        ? await db.batch([active, ended('complete'), ended('failed')])
        : [await active]
  const rows = lists
    .flat()
    .sort(byAge)
    .slice(0, limit + 1)
  return cutPage(rows, limit, ({ createdAt, uuid }) => ({ at: createdAt, id: uuid }))
}

const newer = (place: Parameters<typeof newerThan>[2]) => newerThan(garments.createdAt, garments.uuid, place)

/** As SQLite sorts: text by its UTF-8 bytes, which is by code points. */
function byAge(a: GarmentRow, b: GarmentRow): number {
  return a.createdAt - b.createdAt || compareCodePoints(a.uuid, b.uuid)
}

function compareCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const i = left.findIndex((character, at) => character !== right[at])
  if (i === -1) return left.length - right.length
  return (left[i]?.codePointAt(0) ?? 0) - (right[i]?.codePointAt(0) ?? -1)
}
