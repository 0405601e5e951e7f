import { and, desc, eq, lt, ne, sql, type SQL } from 'drizzle-orm'
import type { Database } from '../db/client.ts'
import { garments } from '../db/schema.ts'
import { ApiError } from '../http/errors.ts'
import { tagSchema, type GarmentRow } from './result.ts'

export interface GarmentFilter {
  readonly status?: GarmentRow['status'] | undefined
  /** A uuid or how it begins. It takes the place of `status`: both together could not be answered by one index. */
  readonly search?: string | undefined
  readonly limit: number
  /** `nextCursor` of the page before, under the same filter. */
  readonly cursor?: string | undefined
}

const columns = {
  uuid: garments.uuid,
  status: garments.status,
  pictureId: garments.pictureId,
  failureReason: garments.failureReason,
  createdAt: garments.createdAt,
  tag: garments.tag,
}

export type ListedGarment = Awaited<ReturnType<typeof listGarments>>['garments'][number]

/**
 * A tenant's garments, newest first; those of a search by uuid. Reads an index in its order and stops at the limit, so
 * that the rows read do not grow with the table.
 */
export async function listGarments(db: Database, tenantId: string, filter: GarmentFilter) {
  const rows = await garmentsQuery(db, tenantId, { ...filter, limit: filter.limit + 1 })
  const page = rows.slice(0, filter.limit)
  const last = page.at(-1)
  const isMore = rows.length > filter.limit && last !== undefined
  return { garments: page.map(listedGarment), nextCursor: isMore ? `${last.createdAt}_${last.uuid}` : null }
}

/** The query itself, for pages that read it in one batch with others. */
export function garmentsQuery(db: Database, tenantId: string, { status, search, limit, cursor }: GarmentFilter) {
  const after = parseCursor(cursor)
  const mine = eq(garments.tenantId, tenantId)
  const query = db.select(columns).from(garments).$dynamic()
  if (search !== undefined)
    return query
      .where(and(mine, ...startsWith(search, after?.uuid ?? '')))
      .orderBy(garments.uuid)
      .limit(limit)
  const older = after && sql`(${garments.createdAt}, ${garments.uuid}) < (${after.at}, ${after.uuid})`
  return query
    .where(and(mine, status === undefined ? undefined : eq(garments.status, status), older))
    .orderBy(desc(garments.createdAt), desc(garments.uuid))
    .limit(limit)
}

/**
 * A range rather than LIKE: it needs no escaping and walks the primary key. It has one lower bound only, since SQLite
 * begins at the first of several and would read all that lies between. U+10FFFF sorts after every character.
 */
const startsWith = (prefix: string, after: string): SQL[] => [
  sql`${garments.uuid} >= max(${prefix}, ${after})`,
  ne(garments.uuid, after),
  lt(garments.uuid, `${prefix}\u{10ffff}\u{10ffff}`),
]

export function listedGarment({ tag, ...row }: Awaited<ReturnType<typeof garmentsQuery>>[number]) {
  const itemType = tagSchema.safeParse(tag).data?.['Item Type']
  return { ...row, itemType: typeof itemType === 'string' ? itemType : null }
}

/** A cursor is the place of the last row that was shown: its time and its uuid. */
function parseCursor(cursor: string | undefined): { at: number; uuid: string } | undefined {
  if (cursor === undefined) return undefined
  const [, at, uuid] = /^(\d{1,15})_(.{1,128})$/su.exec(cursor) ?? []
  if (at === undefined || uuid === undefined)
    throw new ApiError(400, 'Invalid request', ['cursor: must be the cursor of an earlier page'])
  return { at: Number(at), uuid }
}
