import { and, asc, gt, inArray, isNull, like, lt, lte, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'
import { deliveries, deliveryAttempts, sweepPositions } from '../../db/schema.ts'
import { dayMs } from '../../time.ts'
import { firstAttempt } from '../delivery/made-attempts.ts'

const keptMs = 7 * dayMs
const passEveryMs = dayMs

/** The number of the last delivery that the pass has processed. */
const positionName = 'attempts of deliveries'
/** When the last pass ended, in seconds since the epoch. */
const endName = 'attempts of deliveries, end'

interface Erasure {
  readonly erased: number
  /** Whether the pass goes on. */
  readonly hasMore: boolean
}

/**
 * One step of the pass over all deliveries that is made once a day. Of the next `limit`, it erases the answers that are
 * older than 7 days. It also removes ended deliveries of deletions that are older than 7 days: no garment's removal
 * takes them with it, and no index finds them among others.
 */
export async function eraseOldAnswers(db: Database, nowMs: number, limit: number): Promise<Erasure> {
  const stored = await db
    .select()
    .from(sweepPositions)
    .where(inArray(sweepPositions.name, [positionName, endName]))
  const find = (name: string) => stored.find((row) => row.name === name)?.position
  if ((find(endName) ?? 0) * 1000 > nowMs - passEveryMs) return { erased: 0, hasMore: false }
  const position = find(positionName) ?? 0
  const isOld = (at: SQLWrapper) => lt(at, nowMs - keptMs)
  const isOldDeletion = and(
    like(deliveries.deliveryKey, 'deletion%'),
    isNull(deliveries.dueAt),
    isOld(deliveries.createdAt),
  )
  const rows = await db
    .select({ number: deliveries.number })
    .from(deliveries)
    .where(gt(deliveries.number, position))
    .orderBy(asc(deliveries.number))
    .limit(limit)
  const hasMore = rows.length === limit
  const last = rows.at(-1)?.number ?? position
  const isInStep = and(gt(deliveries.number, position), lte(deliveries.number, last))
  const areOf = (which: SQL | undefined) =>
    sql`(tenant_id, delivery_id) IN (SELECT tenant_id, id FROM ${deliveries} WHERE ${which})`
  const [removed, removedDeletions, emptied, emptiedFirst] = await db.batch([
    db.delete(deliveryAttempts).where(areOf(and(isInStep, isOldDeletion))),
    db.delete(deliveries).where(and(isInStep, isOldDeletion)),
    db
      .update(deliveryAttempts)
      .set({ responseBody: '' })
      .where(and(areOf(isInStep), isOld(deliveryAttempts.at), ne(deliveryAttempts.responseBody, ''))),
    db
      .update(deliveries)
      .set({ firstAttempt: sql`json_set(${deliveries.firstAttempt}, '$[3]', '')` })
      .where(and(isInStep, isOld(firstAttempt.at), ne(firstAttempt.responseBody, ''))),
    putPosition(db, positionName, hasMore ? last : 0),
    ...(hasMore ? [] : [putPosition(db, endName, Math.floor(nowMs / 1000))]),
  ])
  const changed = [removed, removedDeletions, emptied, emptiedFirst]
  return { erased: changed.reduce((sum, { meta }) => sum + meta.changes, 0), hasMore }
}

const putPosition = (db: Database, name: string, position: number) =>
  db
    .insert(sweepPositions)
    .values({ name, position })
    .onConflictDoUpdate({ target: sweepPositions.name, set: { position } })
