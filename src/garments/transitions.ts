import { and, eq, getTableColumns, gt, inArray, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { type Database, hasRow, inRows } from '../platform/db/database.ts'
import {
  binnedGarments,
  garments,
  tenantCounters,
  pictures,
  tenantState,
  unreferencedFiles,
  unusedCopies,
} from '../platform/db/schema.ts'
import { dayOf, minuteMs } from '../time.ts'
import { type LostBefore, queueGraceMs } from '../platform/queue/enqueue.ts'
import { searchColumns } from './list/garment-text.ts'
import { findSame, hashColumns } from './duplicates.ts'
import { doubtOf, storedColumns } from './review/doubt.ts'
import type { GarmentRow } from './garment.ts'
import {
  isActive,
  isInBacklog,
  messageColumns,
  minTurns,
  nextInBacklog,
  queuedGarments,
  retriedGarments,
  startTurns,
  type TaggingMessage,
  tenantHasTurn,
  turnDueAt,
  waitsForRetry,
} from './turns.ts'
import { deletePictures, insertPictures, type PictureResult, selectPictures } from './pictures/garment-picture.ts'
import { addStored, grownQuota, tenantDays, textBytesOf } from '../accounts/quotas.ts'
import { addToDays } from '../events/delivery-transitions.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import type { PictureHash } from '../vision/picture-hash.ts'
import type { UploadLimits } from './upload-garment.ts'

/**
 * The garment's state machine: every statement that writes a row of `garments` is in this file.
 *
 *   upload    nothing or failed -> queuing
 *   claim     queuing -> processing, for one run, which counts as a try
 *   release   queuing or processing -> queuing, due again later
 *   end       queuing or processing -> complete or failed
 *   sweep     overdue -> queuing
 *   renew     any state -> queuing, with other pictures
 *   retag     complete, to be tagged again: it stays complete until its result is replaced (also by a correction of its
 *             attributes or item type)
 *   correct   failed -> complete, by a person; of any other only what people say changes
 *   bin       any state -> the bin, by a person; run no more
 *   restore   the bin -> the former state, queuing instead of processing
 *   remove    any state or the bin -> nothing, by a client, when it has expired or with its tenant
 *
 * `queuedAt` and `dueAt` say what is left to do on a garment (`turns.ts`). `tenant_counters` counts the garments that
 * have not ended, in the batch that changes their state.
 */

interface EndedGarment {
  readonly tenantId: string
  readonly status: 'complete' | 'failed'
  /** Nothing is counted unless it holds. */
  readonly condition: SQL
}

/**
 * The statements that count a garment as ended and as no longer waiting. They stand before the one that ends it. The
 * first one writes nothing but on the first ending of a day.
 */
export function countGarment(db: Database, { tenantId, status, condition }: EndedGarment, nowMs: number) {
  const day = dayOf(nowMs)
  const { complete, failed } = tenantCounters
  const countOf = (column: typeof complete | typeof failed, isThis: boolean) =>
    sql<number>`iif(${tenantCounters.day} = ${day}, ${column}, 0) + ${isThis ? 1 : 0}`
  return [
    addToDays(
      db,
      sql`
        SELECT tenant_id, day, kind.value, iif(kind.value = 'complete', complete, failed) AS number
        FROM ${tenantCounters}, json_each('["complete", "failed"]') AS kind
        WHERE tenant_id = ${tenantId} AND day NOT IN ('', ${day}) AND number > 0 AND ${condition}`,
    ),
    db
      .update(tenantCounters)
      .set({
        waiting: sql`max(${tenantCounters.waiting} - 1, 0)`,
        day,
        complete: countOf(complete, status === 'complete'),
        failed: countOf(failed, status === 'failed'),
      })
      .where(and(eq(tenantCounters.tenantId, tenantId), condition)),
  ] as const
}

/** Longer than the longest run, which claims once the picture is fetched. */
export const leaseMs = 120_000

/** A garment as it was read. A write does nothing if another run or another upload has changed the garment since. */
export type ExpectedGarment = Pick<GarmentRow, 'tenantId' | 'uuid' | 'revision' | 'claimId' | 'tries'>

/** What tagging found out about a picture, with the name of its new copy if the garment was tagged again. */
export type StoredPictureResult = PictureResult & { readonly copyId?: string }

export type Ending =
  | {
      readonly status: 'complete'
      /** A new one if the garment was tagged again. */
      readonly revision: string
      /** As `formatResult` returns it. */
      readonly result: string
      /** Hash of the first tagged picture. */
      readonly hash: PictureHash
      readonly pictures: readonly StoredPictureResult[]
    }
  | {
      readonly status: 'failed'
      readonly failure: string
      readonly pictures: readonly StoredPictureResult[]
    }

/**
 * Claims a queuing garment for one run, unless its attributes or its corrections have changed since it was read. Safe
 * to repeat with the same `claimId`, should the answer have been lost.
 */
export function claimStatement(
  db: Database,
  garment: ExpectedGarment & Pick<GarmentRow, 'attribute' | 'corrections'>,
  claimId: string,
  nowMs: number,
) {
  const tries = garment.tries + 1
  const isOurs = and(eq(garments.claimId, claimId), eq(garments.tries, tries))
  return db
    .update(garments)
    .set({ status: unlessEnded('processing'), tries, claimId, leaseUntil: nowMs + leaseMs })
    .where(
      and(
        sameGarment(garment),
        eq(garments.attribute, garment.attribute),
        sql`${garments.corrections} IS ${garment.corrections}`,
        sql`(${isUnchanged(garment)} OR ${isOurs})`,
      ),
    )
    .returning({ tries: garments.tries })
}

/** Returns the statement that makes a paused garment due at once, for the first sweep after the pause. */
export const makeDueStatement = (db: Database, garment: ExpectedGarment, nowMs: number) =>
  db
    .update(garments)
    .set({ dueAt: nowMs })
    .where(and(sameGarment(garment), isUnchanged(garment), gt(garments.dueAt, nowMs)))

export interface Release {
  readonly tries: number
  /** When the sweep assumes that the message of the next try was lost. */
  readonly dueAt: number
  /** Why the try failed, as `storeRetry` gives it; the former one stays if absent. */
  readonly retry?: string
}

/**
 * Releases a garment for another try. After a failed try it gives its turn away. One that is tagged again shows nothing
 * of it: its result stays.
 */
export function releaseStatement(db: Database, garment: ExpectedGarment, { tries, dueAt, retry }: Release) {
  const reason = retry === undefined ? undefined : sql`iif(${garments.endedAt} IS NULL, ${retry}, failure)`
  return db
    .update(garments)
    .set({
      status: unlessEnded('queuing'),
      claimId: null,
      leaseUntil: null,
      tries,
      dueAt,
      ...(reason && { failure: reason, queuedAt: null }),
    })
    .where(and(sameGarment(garment), isUnchanged(garment)))
}

interface EndOptions {
  readonly ending: Ending
  readonly searched: ReturnType<typeof searchColumns>
  readonly turnLimit: number
}

/**
 * Ends a garment, counts it and starts the next turns of its tenant, which may have `turnLimit` turns. A garment that
 * was tagged again is not counted, and keeps its former result if tagging failed. The statements stand last in their
 * batch, after those that depend on `whenUnchanged`. `turns` returns the messages to send. Safe to repeat.
 */
export function endStatements(
  db: Database,
  garment: ExpectedGarment & Pick<GarmentRow, 'endedAt'>,
  { ending, searched, turnLimit }: EndOptions,
  nowMs: number,
) {
  const { tenantId, endedAt } = garment
  const { status } = ending
  const isAgain = endedAt !== null
  const result =
    status === 'complete'
      ? { ...resultColumns(garment, ending), searchText: searched.searchText }
      : { status, failure: ending.failure, result: null, doubt: 0, searchText: searched.searchText }
  const changes = isAgain ? (status === 'complete' ? result : {}) : { ...result, price: searched.price, endedAt: nowMs }
  return {
    counted: isAgain ? [] : countGarment(db, { tenantId, status, condition: whenUnchanged(garment) }, nowMs),
    pictures: isAgain && status === 'failed' ? [] : storePictureResults(garment, ending.pictures),
    ended: db
      .update(garments)
      .set({ ...changes, ...nothingToDo })
      .where(and(sameGarment(garment), isUnchanged(garment))),
    turns: startTurns(tenantId, turnLimit, nowMs),
  }
}

/** The columns of a garment that no run has claimed and that waits for none. */
const nothingToDo = { claimId: null, leaseUntil: null, queuedAt: null, dueAt: null }

/** The columns of a result. */
function resultColumns(
  { tenantId, uuid }: ExpectedGarment,
  { status, revision, result, hash }: Extract<Ending, { readonly status: 'complete' }>,
) {
  return {
    status,
    revision,
    result,
    failure: null,
    doubt: doubtOf(tenantId, { ...storedColumns, result }),
    ...hashColumns(hash),
    sameAs: findSame(tenantId, uuid, hash),
  }
}

/** Stores what tagging found out about each picture. Stands before the statement that ends the garment. */
const storePictureResults = (garment: ExpectedGarment, results: readonly StoredPictureResult[]) => sql`
  UPDATE ${pictures} SET
    predicted_kind = found.value ->> 'predictedKind', role = found.value ->> 'role',
    has_cutout = found.value ->> 'hasCutout', failure = found.value ->> 'failure',
    width = found.value ->> 'width', height = found.value ->> 'height',
    copy_id = coalesce(found.value ->> 'copyId', ${pictures}.copy_id)
  FROM json_each(${JSON.stringify(results)}) AS found
  WHERE ${pictures}.tenant_id = ${garment.tenantId} AND ${pictures}.garment_uuid = ${garment.uuid}
    AND ${pictures}.id = found.value ->> 'id' AND ${whenUnchanged(garment)}`

/**
 * Gives a garment in any state other pictures, with which it is tagged as if it had just been uploaded. It keeps its
 * attributes and corrections.
 */
export const renewStatement = (
  db: Database,
  columns: Pick<GarmentRow, 'revision' | 'textBytes' | 'corrections'>,
  isUnchanged: SQL | undefined,
  nowMs: number,
) =>
  db
    .update(garments)
    .set({
      ...columns,
      pictureHash: null,
      pictureColours: null,
      sameAs: null,
      status: 'queuing',
      tries: 0,
      claimId: null,
      leaseUntil: null,
      queuedAt: nowMs,
      dueAt: null,
      endedAt: null,
      failure: null,
      result: null,
      doubt: 0,
      searchText: null,
      price: null,
    })
    .where(isUnchanged)

interface NewGarment extends Pick<GarmentRow, 'uuid' | 'attribute' | 'origin' | 'revision' | 'textBytes'> {}

/** Creates a garment with the stock number that was counted before, if the condition holds. */
export const createStatement = (
  tenantId: string,
  { uuid, attribute, origin, revision, textBytes }: NewGarment,
  condition: SQL,
  nowMs: number,
) => sql`
  INSERT INTO ${garments}
    (tenant_id, uuid, number, attribute, text_bytes, origin, revision, status, queued_at, created_at)
  SELECT tenant_id, ${uuid}, last_number, ${attribute}, ${textBytes}, ${origin}, ${revision}, 'queuing', ${nowMs}, ${nowMs}
  FROM ${tenantCounters} WHERE tenant_id = ${tenantId} AND ${condition}`

/** Changes a garment whose last pictures were moved to another garment. */
export const emptyStatement = (
  db: Database,
  columns: Pick<GarmentRow, 'revision' | 'textBytes'>,
  isUnchanged: SQL | undefined,
) => db.update(garments).set(columns).where(isUnchanged)

/** Marks complete garments to be tagged again. Their results stay until they are replaced. */
export function retagStatement(
  db: Database,
  found: readonly Pick<GarmentRow, 'tenantId' | 'uuid' | 'revision'>[],
  nowMs: number,
) {
  const keys = found.map(({ tenantId, uuid, revision }) => [tenantId, uuid, revision])
  return db
    .update(garments)
    .set({ tries: 0, dueAt: nowMs + queueGraceMs })
    .where(sql`${inRows(['tenant_id', 'uuid', 'revision'], keys)} AND status = 'complete' AND NOT ${isActive}`)
}

/** The condition for statements on other tables that are to take effect only if the garment's own write does. */
export const whenUnchanged = (garment: ExpectedGarment) =>
  hasRow(garments, and(sameGarment(garment), isUnchanged(garment)))

const unlessEnded = (status: GarmentRow['status']) =>
  sql<GarmentRow['status']>`iif(${garments.endedAt} IS NULL, ${status}, ${garments.status})`

const sameGarment = ({ tenantId, uuid }: { readonly tenantId: string; readonly uuid: string }) =>
  and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))

const isUnchanged = ({ revision, claimId, tries }: ExpectedGarment) =>
  and(
    eq(garments.revision, revision),
    isActive,
    eq(garments.tries, tries),
    claimId === null ? isNull(garments.claimId) : eq(garments.claimId, claimId),
  )

/** The columns of a garment that a correction changes. */
export type Correction = Pick<GarmentRow, 'corrections' | 'attribute' | 'attributeChanges'> & {
  /** Whether its picture is to be tagged again: at the place of its upload, which is before later uploads, or last. */
  readonly retag: 'first' | 'last' | undefined
}

/**
 * Stores a correction, of a failed garment with the state complete, unless it has changed since it was read: statements
 * on other tables depend on `unchanged`.
 */
export function correctStatement(
  db: Database,
  garment: GarmentRow,
  { retag, corrections, ...content }: Correction,
  nowMs: number,
) {
  const isUnchanged = and(
    sameGarment(garment),
    eq(garments.revision, garment.revision),
    eq(garments.status, garment.status),
    eq(garments.attribute, garment.attribute),
    // Two changes may have restored the same value.
    sql`${garments.attributeChanges} IS ${garment.attributeChanges}`,
    sql`${garments.corrections} IS ${garment.corrections}`,
    // A run that has begun since has read the former values.
    sql`${garments.queuedAt} IS ${garment.queuedAt}`,
    sql`${garments.dueAt} IS ${garment.dueAt}`,
  )
  const unchanged = hasRow(garments, isUnchanged)
  // Ends the claim of a run in progress.
  const queuedAt = retag === 'last' ? nowMs : garment.createdAt
  const run = { tries: 0, claimId: null, leaseUntil: null, queuedAt, dueAt: null }
  const described = { ...(garment.status === 'failed' && { status: 'complete' as const }) }
  const changes = {
    corrections,
    doubt: doubtOf(garment.tenantId, { ...storedColumns, corrections }),
    ...content,
    textBytes: garment.textBytes + textBytesOf(content.attribute) - textBytesOf(garment.attribute),
    ...described,
    ...(retag && run),
    ...searchColumns({ ...garment, ...content, ...described, corrections }),
  }
  return { unchanged, stored: db.update(garments).set(changes).where(isUnchanged) }
}

/** Claims the garment that `uuid` selects for the review of a session. The query builder's UPDATE has no alias. */
export const reviewStatement = (tenantId: string, uuid: SQL, sessionId: string, untilMs: number) => sql`
  UPDATE ${garments} SET review_session = ${sessionId}, review_until = ${untilMs}
  WHERE tenant_id = ${tenantId} AND uuid = (${uuid}) RETURNING uuid`

/** Releases at most `limit` doubtful garments that a session has claimed for its review. */
export const releaseReviewsStatement = (tenantId: string, sessionId: string, limit: number) => sql`
  UPDATE ${garments} SET review_session = NULL, review_until = NULL
  WHERE tenant_id = ${tenantId} AND uuid IN (
    SELECT uuid FROM ${garments} INDEXED BY garments_by_doubt
    WHERE tenant_id = ${tenantId} AND doubt <> 0 AND review_session = ${sessionId} LIMIT ${limit})`

/** Numbers the doubt of a tenant's garments again that `which` selects. */
export const renumberStatement = (db: Database, tenantId: string, which: SQL) =>
  db
    .update(garments)
    .set({ doubt: doubtOf(tenantId, storedColumns) })
    .where(and(eq(garments.tenantId, tenantId), which))

/** Removes garments that have expired. */
export const expireStatement = (db: Database, areRemoved: SQL) => db.delete(garments).where(areRemoved)

/** Removes at most `limit` garments of a deleted tenant, or of its bin. */
export function purgeStatement(
  db: Database,
  table: typeof garments | typeof binnedGarments,
  tenantId: string,
  limit: number,
) {
  const some = db.select({ uuid: table.uuid }).from(table).where(eq(table.tenantId, tenantId)).limit(limit)
  return db.delete(table).where(and(eq(table.tenantId, tenantId), inArray(table.uuid, some)))
}

/** Longer than any run takes. One that has already begun may still store its picture. */
export const maxRunMs = 10 * minuteMs

export type RemovedGarment = Pick<GarmentRow, 'pictures'>

interface Leaving {
  readonly tenantId: string
  readonly uuid: string
  /** What is counted besides. */
  readonly counts?: SQL
}

/** Counts a garment that goes away as no longer waiting. Stands before the statement that removes it. */
const leaveStatement = ({ tenantId, uuid, counts = sql`` }: Leaving) => sql`
  UPDATE ${tenantCounters} SET ${counts} waiting = max(waiting - gone.waits, 0)
  FROM (
    SELECT ended_at IS NULL AS waits, text_bytes AS bytes FROM ${garments}
    WHERE tenant_id = ${tenantId} AND uuid = ${uuid}
  ) AS gone
  WHERE tenant_id = ${tenantId}`

const columnNames = Object.values(getTableColumns(garments)).map(({ name }) => name)
const allColumns = sql.join(
  columnNames.map((name) => sql.identifier(name)),
  sql`, `,
)

/** The statements that put a garment into the bin, if there is one, until `removeAt`. Results as `removeStatements`. */
export function binStatements(tenantId: string, uuid: string, removeAt: number, nowMs: number) {
  const isGarment = sql`tenant_id = ${tenantId} AND uuid = ${uuid}`
  return {
    counted: leaveStatement({ tenantId, uuid }),
    binned: sql`
      INSERT INTO ${binnedGarments} (${allColumns}, remove_at)
      SELECT ${allColumns}, ${removeAt} FROM ${garments} WHERE ${isGarment}`,
    removed: sql<{ uuid: string }>`DELETE FROM ${garments} WHERE ${isGarment} RETURNING uuid`,
    turns: startTurns(tenantId, minTurns, nowMs),
  }
}

/** Whether a uuid is taken by a garment in the bin, even one that is just being removed from it. */
export const isInBin = (tenantId: SQLWrapper | string, uuid: SQLWrapper | string) =>
  hasRow(binnedGarments, sql`tenant_id = ${tenantId} AND uuid = ${uuid}`)

/** A garment in the bin that can still be taken out. */
export const isRestorable = (tenantId: SQLWrapper | string, uuid: SQLWrapper | string, nowMs: number) =>
  sql`tenant_id = ${tenantId} AND uuid = ${uuid} AND remove_at > ${nowMs}`

/**
 * The statements that take a garment out of the bin, if it is there: as it was, but that what was waiting for a run or
 * in one waits again, for which a constraint makes the batch fail if too many wait. `turns` returns the messages to
 * send.
 */
export function restoreStatements(tenantId: string, uuid: string, maxWaiting: number, nowMs: number) {
  const isBinned = sql`${isRestorable(tenantId, uuid, nowMs)}
    AND EXISTS (SELECT 1 FROM ${tenantState} WHERE tenant_id = ${tenantId})`
  const changed: Readonly<Record<string, SQL>> = {
    status: sql`iif(ended_at IS NULL, 'queuing', status)`,
    tries: sql`iif(${isActive}, 0, tries)`,
    claim_id: sql`NULL`,
    lease_until: sql`NULL`,
    queued_at: sql`iif(${isActive}, ${nowMs}, NULL)`,
    due_at: sql`NULL`,
  }
  const values = columnNames.map((name) => changed[name] ?? sql.identifier(name))
  return {
    waits: sql`
      UPDATE ${tenantCounters} SET waiting = waiting + 1, max_waiting = ${maxWaiting}
      WHERE tenant_id = ${tenantId} AND EXISTS (
        SELECT 1 FROM ${binnedGarments} WHERE ${isBinned} AND ended_at IS NULL)`,
    restored: sql<{ status: GarmentRow['status'] }>`
      INSERT INTO ${garments} (${allColumns})
      SELECT ${sql.join(values, sql`, `)} FROM ${binnedGarments} WHERE ${isBinned}
      RETURNING status`,
    emptied: sql`DELETE FROM ${binnedGarments} WHERE ${isBinned}`,
    turns: startTurns(tenantId, minTurns, nowMs),
  }
}

/** Removes garments from the bin. */
export const eraseStatement = (db: Database, areRemoved: SQL) => db.delete(binnedGarments).where(areRemoved)

/**
 * The statements that remove a garment, if there is one: they subtract it from the counts, mark its copies and files
 * for the sweep, in case a later step fails, and start the tenant's next turn. `removed` returns the garment, `turns`
 * the messages to send.
 */
export function removeStatements(tenantId: string, uuid: string, nowMs: number) {
  const isGarment = sql`tenant_id = ${tenantId} AND uuid = ${uuid}`
  // A garment in the bin keeps its pictures.
  const ofGarment = sql`FROM ${pictures} WHERE tenant_id = ${tenantId} AND garment_uuid = ${uuid}`
  const isThere = sql`EXISTS (SELECT 1 FROM ${garments} WHERE ${isGarment})`
  const counts = sql`garments = max(garments - 1, 0), text_bytes = max(text_bytes - gone.bytes, 0),`
  return {
    counted: leaveStatement({ tenantId, uuid, counts }),
    copies: sql`
      INSERT OR IGNORE INTO ${unusedCopies} (copy_id, tenant_id, remove_at)
      SELECT copy_id, tenant_id, ${nowMs + maxRunMs} ${ofGarment} AND ${isThere}`,
    files: sql`
      INSERT OR IGNORE INTO ${unreferencedFiles} (tenant_id, file_id, since)
      SELECT tenant_id, file_id, ${nowMs} ${ofGarment} AND file_id IS NOT NULL AND ${isThere}`,
    removed: sql<RemovedGarment>`
      DELETE FROM ${garments} WHERE ${isGarment} RETURNING ${selectPictures('garments')} AS pictures`,
    pictures: sql`DELETE ${ofGarment} AND changes() > 0`,
    turns: startTurns(tenantId, minTurns, nowMs),
  }
}

export interface SweepTimes extends LostBefore {
  readonly nowMs: number
}

export interface TenantRange {
  /** Tenants whose ids are after `after` and at most `to`, in the order of their ids. */
  readonly after: string
  readonly to: string
  readonly maxTenants: number
}

export interface OverdueTenant {
  /** The last tenant that was visited, in the row in which neither holds. */
  readonly tenantId: string
  /** Whether it has garments whose message or run was lost. */
  readonly isOverdue: number
  /** Whether it has a backlog and no turn. */
  readonly lacksTurn: number
}

/**
 * Finds the tenants with overdue garments or a backlog without a turn, and last the tenant at which it stopped; no row
 * if there was none. It jumps from tenant to tenant along two indexes, for which the query builder has no recursion.
 */
export function findOverdue({ after, to, maxTenants }: TenantRange, { overdueMs }: SweepTimes) {
  const nextTenant = (from: SQLWrapper | string) => sql`(
    SELECT min(tenant_id) FROM (
      SELECT min(tenant_id) AS tenant_id FROM ${queuedGarments}
      WHERE queued_at IS NOT NULL AND tenant_id > ${from} AND tenant_id <= ${to}
      UNION ALL SELECT min(tenant_id) FROM ${retriedGarments}
      WHERE ${waitsForRetry} AND tenant_id > ${from} AND tenant_id <= ${to}))`
  return sql`
    WITH RECURSIVE active(tenant) AS (
      SELECT ${nextTenant(after)}
      UNION ALL SELECT ${nextTenant(sql`active.tenant`)} FROM active WHERE active.tenant IS NOT NULL
      LIMIT ${maxTenants}
    ),
    overdue AS (
      SELECT tenant,
        EXISTS (
          SELECT 1 FROM ${queuedGarments}
          WHERE tenant_id = tenant AND queued_at IS NOT NULL AND due_at <= ${overdueMs}
        ) OR EXISTS (
          SELECT 1 FROM ${retriedGarments}
          WHERE tenant_id = tenant AND queued_at IS NULL AND due_at <= ${overdueMs}
        ) AS is_overdue,
        EXISTS (
          SELECT 1 FROM ${queuedGarments} WHERE tenant_id = tenant AND ${isInBacklog}
        ) AND NOT ${tenantHasTurn(sql`tenant`)} AS lacks_turn
      FROM active WHERE tenant IS NOT NULL
    )
    SELECT tenant AS tenantId, is_overdue AS isOverdue, lacks_turn AS lacksTurn FROM overdue
    WHERE (is_overdue OR lacks_turn) AND NOT ${isPaused('tagging', sql`tenant`)}
    UNION ALL SELECT max(tenant), 0, 0 FROM active HAVING max(tenant) IS NOT NULL`
}

const minPauseMs = minuteMs

/** A garment waits longer for each next sweep: half its age, so that none is enqueued over and over. */
const nextSweep = ({ nowMs, maxPauseMs }: SweepTimes) =>
  sql`${nowMs} + max(${minPauseMs}, min(${maxPauseMs}, (${nowMs} - created_at) / 2))`

/**
 * Puts the overdue garments of these tenants back into the state `queuing`, of each tenant the `share` that is overdue
 * longest, and takes them away from runs whose lease is over. Returns their messages.
 */
export function requeueDue(tenantIds: readonly string[], share: number, times: SweepTimes) {
  const overdueIn = (table: SQL, isQueued: SQL) => sql`SELECT * FROM (
    SELECT uuid, due_at FROM ${table}
    WHERE tenant_id = tenant.value AND ${isQueued} AND due_at <= ${times.overdueMs}
      AND coalesce(lease_until, 0) <= ${times.nowMs}
    ORDER BY due_at LIMIT ${share})`
  return sql<TaggingMessage>`
    UPDATE ${garments}
    SET status = iif(ended_at IS NULL, 'queuing', status), claim_id = NULL, lease_until = NULL,
      due_at = ${nextSweep(times)}
    WHERE (tenant_id, uuid) IN (
      SELECT found.tenant_id, found.uuid
      FROM json_each(${JSON.stringify(tenantIds)}) AS tenant CROSS JOIN ${garments} AS found
      WHERE found.tenant_id = tenant.value AND found.uuid IN (
        SELECT uuid FROM (
          ${overdueIn(queuedGarments, sql`queued_at IS NOT NULL`)}
          UNION ALL ${overdueIn(retriedGarments, sql`queued_at IS NULL`)}
        ) ORDER BY due_at LIMIT ${share}
      )
    )
    RETURNING ${messageColumns}`
}

/** Starts a turn for each of these tenants that has none. Returns their messages. */
export const startLackingTurns = (tenantIds: readonly string[], nowMs: number) => sql<TaggingMessage>`
  UPDATE ${garments} SET due_at = ${turnDueAt(nowMs)}
  WHERE (tenant_id, uuid) IN (
    SELECT tenant.value, (${nextInBacklog(sql`tenant.value`, sql`1`)})
    FROM json_each(${JSON.stringify(tenantIds)}) AS tenant WHERE NOT ${tenantHasTurn(sql`tenant.value`)}
  )
  RETURNING ${messageColumns}`

interface ImportedGarments {
  readonly tenantId: string
  readonly origin: string
  /** Selects `line`, `uuid`, `pictures`, `attribute`, `text_bytes` and `revision`. */
  readonly lines: SQL
}

/**
 * Uploads many garments at once, as `uploadGarment` does one: stores each or restarts it if it failed, leaves any other
 * unchanged, and counts them. Constraints make the batch fail if the tenant has too many waiting garments, or too much
 * stored. The last statement returns the messages of the turns that it started. The query builder has no
 * `insert ... select` with a conflict clause that takes all columns.
 */
export function garmentStatements(
  { tenantId, origin, lines }: ImportedGarments,
  { maxWaiting, quotas }: UploadLimits,
  nowMs: number,
) {
  // Refers to the garments before the statement below, because a uuid may be on several lines.
  const uuids = sql`SELECT DISTINCT uuid FROM (${lines})`
  const stored = sql`FROM ${garments} WHERE tenant_id = ${tenantId} AND uuid IN (${uuids})`
  const uploaded = sql`
    FROM (${lines}) AS line CROSS JOIN ${garments} AS stored
    WHERE stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid AND stored.revision = line.revision`
  const amounts = {
    garments: sql`(SELECT count(*) FROM (${uuids})) - (SELECT count(*) ${stored})`,
    // Text that is replaced. The new text is counted with the waiting garments.
    text_bytes: sql`-(SELECT coalesce(sum(text_bytes), 0) ${stored} AND status = 'failed')`,
  }
  return [
    addStored(tenantId, amounts, quotas, sql`EXISTS (${lines})`),
    // A garment that failed keeps its number. Others get the next ones in the order of the file.
    insertGarments(sql`
      SELECT ${tenantId}, line.uuid,
        coalesce(stored.number, (SELECT last_number FROM ${tenantCounters} WHERE tenant_id = ${tenantId})
          + count(*) FILTER (WHERE stored.number IS NULL) OVER (ORDER BY line.line)),
        line.attribute, line.text_bytes, ${origin}, line.revision, 'queuing', ${nowMs}, NULL, ${nowMs}
      FROM (${lines}) AS line
        LEFT JOIN ${garments} AS stored ON stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid
      WHERE changes() > 0`),
    sql`
      INSERT INTO ${tenantCounters} (tenant_id, waiting, max_waiting, text_bytes, max_text_bytes)
      SELECT ${tenantId}, count(*), ${maxWaiting}, sum(line.text_bytes), ${grownQuota({ most: quotas.text_bytes, growthDays: quotas.growthDays, days: tenantDays(tenantId, nowMs) })}
      ${uploaded}
      HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE SET
        waiting = waiting + excluded.waiting, max_waiting = excluded.max_waiting,
        last_number = max(last_number, (SELECT max(number) FROM ${garments} WHERE tenant_id = ${tenantId})),
        text_bytes = text_bytes + excluded.text_bytes, max_text_bytes = excluded.max_text_bytes`,
    deletePictures(sql`SELECT stored.tenant_id, stored.uuid ${uploaded}`),
    insertPictures(sql`SELECT stored.tenant_id, stored.uuid, line.pictures ${uploaded}`),
    startTurns(tenantId, minTurns, nowMs),
  ] as const
}

/**
 * Stores garments, restarts those that failed and leaves others as they are. Stands directly after the statement that
 * counts them, and selects them only if that changed its row: it asks for the tenant's.
 */
export const insertGarments = (selected: SQL) => sql`
  INSERT INTO ${garments}
    (tenant_id, uuid, number, attribute, text_bytes, origin, revision, status, queued_at, due_at, created_at)
  ${selected}
  ON CONFLICT (tenant_id, uuid) DO UPDATE SET ${replaceAll} WHERE ${garments.status} = 'failed'`

/** Every column, also those that are not inserted: they get their defaults again. */
const replaceAll = sql.join(
  Object.values(getTableColumns(garments)).map(
    ({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  ),
  sql`, `,
)
