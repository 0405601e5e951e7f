import { and, desc, eq, gt, isNotNull, isNull, lt, ne, sql, type SQL } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import { correctedItemType } from '../correction/apply-corrections.ts'
import { parseCorrections } from '../correction/correction.ts'
import type { Database } from '../db/client.ts'
import { cutPage, olderThan, parseCursor, type PageRequest } from '../db/page.ts'
import { garments } from '../db/schema.ts'
import { tagSchema } from './fields.ts'
import type { GarmentRow } from './result.ts'

export interface GarmentFilter extends PageRequest {
  readonly status?: GarmentRow['status'] | undefined
  /** A uuid or its beginning. It replaces `status`, since no index could answer both together. */
  readonly search?: string | undefined
}

const columns = {
  uuid: garments.uuid,
  status: garments.status,
  pictureId: garments.pictureId,
  failureReason: garments.failureReason,
  createdAt: garments.createdAt,
  tag: garments.tag,
  corrections: garments.corrections,
}

export type ListedGarment = Awaited<ReturnType<typeof listGarments>>['garments'][number]

/**
 * A tenant's garments, newest first, or by uuid where a uuid is searched for. Walks an index and stops at the limit, so
 * that the rows read do not grow with the table.
 */
export async function listGarments(db: Database, tenantId: string, filter: GarmentFilter) {
  const rows = await garmentsQuery(db, tenantId, { ...filter, limit: filter.limit + 1 })
  const page = cutPage(rows, filter.limit, ({ createdAt, uuid }) => ({ at: createdAt, id: uuid }))
  return { garments: page.rows.map(listedGarment), nextCursor: page.nextCursor }
}

/** The query alone, for callers that run it in one batch with others. */
export function garmentsQuery(db: Database, tenantId: string, filter: GarmentFilter) {
  const { status, search, limit, cursor } = filter
  const after = parseCursor(cursor)
  const mine = eq(garments.tenantId, tenantId)
  const older = after && olderThan(garments.createdAt, garments.uuid, after)
  const newest = (where: SQL | undefined) =>
    db
      .select(columns)
      .from(garments)
      .where(and(mine, where, older))
      .orderBy(desc(garments.createdAt), desc(garments.uuid))
      .limit(limit)
  const ended = (endedAs: EndedStatus) => newest(and(isNotNull(garments.endedAt), eq(garments.status, endedAs)))
  // Sorted by SQLite, since their index is by `dueAt`; `MAX_WAITING_GARMENTS` limits how many there are. Comparing the
  // time, rather than asking whether there is one, makes SQLite prefer that index to the primary key.
  const active = newest(and(gt(garments.dueAt, 0), isNull(garments.endedAt), status && eq(garments.status, status)))

  if (search !== undefined)
    return db
      .select(columns)
      .from(garments)
      .where(and(mine, ...startsWith(search, after?.id ?? '')))
      .orderBy(garments.uuid)
      .limit(limit)
  if (status === 'complete' || status === 'failed') return ended(status)
  if (status !== undefined) return active
  const [a, b, c] = [active.as('active'), ended('complete').as('complete'), ended('failed').as('failed')]
  return unionAll(db.select().from(a), db.select().from(b), db.select().from(c))
    .orderBy(sql`created_at DESC, uuid DESC`)
    .limit(limit)
}

type EndedStatus = Extract<GarmentRow['status'], 'complete' | 'failed'>

/**
 * A range instead of LIKE, because it needs no escaping and walks the primary key. There is one lower bound, because
 * of several SQLite starts at the first and would read all rows between. U+10FFFF sorts after every character.
 */
const startsWith = (prefix: string, after: string): SQL[] => [
  sql`${garments.uuid} >= max(${prefix}, ${after})`,
  ne(garments.uuid, after),
  lt(garments.uuid, `${prefix}\u{10ffff}\u{10ffff}`),
]

export function listedGarment({ tag, corrections, ...row }: Awaited<ReturnType<typeof garmentsQuery>>[number]) {
  const machine = tagSchema.safeParse(tag).data
  const itemType = machine && correctedItemType({ tag: machine }, parseCorrections(corrections))
  return { ...row, itemType: itemType || null }
}
