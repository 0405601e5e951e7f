import {
  and,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  not,
  or,
  sql,
  type SQL,
  type SQLWrapper,
} from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Database, hasRow, inRows } from '../platform/db/database.ts'
import {
  binnedGarments,
  garments,
  tenantCounters,
  pictures,
  reservedNumbers,
  tenantState,
  unreferencedFiles,
  unusedCopies,
} from '../platform/db/schema.ts'
import { dayOf, minuteMs } from '../time.ts'
import { type LostBefore, queueGraceMs } from '../platform/queue/enqueue.ts'
import { hideStatement } from './pictures/hide-pictures.ts'
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
import { addCropBytes, addGrowth, fixedRowBytes, subtractRows, textBytesOf } from '../platform/db/count-rows.ts'
import { addStored, limitBasis, limitNow } from '../accounts/quotas.ts'
import { addToDailyCount } from '../platform/db/daily-counts.ts'
import { isPaused } from '../platform/queue/is-paused.ts'
import type { PictureHash } from '../vision/picture-hash.ts'
import type { UploadLimits } from './upload-garment.ts'

/**
 * The garment's state machine. Every statement that writes a row of `garments` is in this file or in `turns.ts`.
 *
 *   upload    nothing or failed -> queuing
 *   claim     queuing -> processing, for one run, which counts as a try
 *   release   queuing or processing -> queuing, due again later
 *   end       queuing or processing -> complete or failed
 *   sweep     overdue -> queuing
 *   renew     any state -> queuing, with other pictures
 *   retag     complete -> complete, tagged again in the background; the result stays until the new one replaces it
 *   correct   failed -> complete; complete -> complete, with other corrections or attributes
 *   bin       any state -> the bin
 *   restore   the bin -> the former state, or queuing instead of processing
 *   remove    any state or the bin -> nothing
 *
 * `queuedAt` and `dueAt` say what is left to do on a garment (`turns.ts`). `tenant_counters` counts the garments that
 * have not ended, in the batch that changes their state.
 */

interface EndedGarment {
  readonly tenantId: string
  readonly status: 'complete' | 'failed'
  readonly condition: SQL
}

/** Counts a garment as ended and no longer waiting, if the condition holds. Precedes the statement that ends it. */
export const countGarment = (db: Database, { tenantId, status, condition }: EndedGarment, nowMs: number) =>
  [addToDailyCount(db, tenantId, status, condition, nowMs), stopWaiting(db, tenantId, condition)] as const

const stopWaiting = (db: Database, tenantId: string, condition: SQL) =>
  db
    .update(tenantCounters)
    .set({ waiting: sql`max(${tenantCounters.waiting} - 1, 0)` })
    .where(and(eq(tenantCounters.tenantId, tenantId), condition))

/** Longer than the longest run, which claims after the download of the picture. */
export const leaseMs = 120_000

/** A garment as it was read. A write does nothing if another run or upload has changed the garment since. */
export type ExpectedGarment = Pick<
  GarmentRow,
  'tenantId' | 'uuid' | 'revision' | 'claimId' | 'tries' | 'endedAt' | 'cropBytes'
>

/** The result of tagging one picture, with the name of its new copy if the garment was tagged again. */
export type StoredPictureResult = PictureResult & { readonly copyId?: string }

export type Ending =
  | {
      readonly status: 'complete'
      /** A new revision if the garment was tagged again. */
      readonly revision: string
      /** The result of `formatResult`. */
      readonly result: string
      /** Hash of the first tagged picture. */
      readonly hash: PictureHash
      readonly pictures: readonly StoredPictureResult[]
      /** Size of the stored crops of labels. */
      readonly cropBytes: number
    }
  | {
      readonly status: 'failed'
      readonly failure: string
      readonly pictures: readonly StoredPictureResult[]
    }

/**
 * Claims a queuing garment for one run, unless its attributes or corrections have changed since it was read. After a
 * lost response it can be repeated with the same `claimId`.
 */
export function claimStatement(
  db: Database,
  garment: ExpectedGarment & Pick<GarmentRow, 'attribute' | 'corrections'>,
  claimId: string,
  nowMs: number,
) {
  const tries = garment.tries + 1
  const isClaimedByThisRun = and(eq(garments.claimId, claimId), eq(garments.tries, tries))
  return db
    .update(garments)
    .set({ ...unlessEnded(garment, 'processing'), tries, claimId, leaseUntil: nowMs + leaseMs })
    .where(
      and(
        isGarment(garment),
        eq(garments.attribute, garment.attribute),
        hasValue(garments.corrections, garment.corrections),
        or(isUnchanged(garment), isClaimedByThisRun),
      ),
    )
    .returning({ tries: garments.tries })
}

/** Makes a garment due at once, for the first sweep after a pause. */
export const makeDueStatement = (db: Database, garment: ExpectedGarment, nowMs: number) =>
  db
    .update(garments)
    .set({ dueAt: nowMs })
    .where(and(isGarment(garment), isUnchanged(garment), gt(garments.dueAt, nowMs)))

export interface Release {
  readonly tries: number
  /** When the sweep assumes that the message of the next try was lost. */
  readonly dueAt: number
  /** Why the try failed, as `storeRetry` returns it. If absent, the previous reason stays. */
  readonly retry?: string
}

/**
 * Releases a garment for another try. After a failed try, the garment loses its turn. A garment that is tagged again
 * keeps its result and shows no reason.
 */
export const releaseStatement = (db: Database, garment: ExpectedGarment, { tries, dueAt, retry }: Release) =>
  db
    .update(garments)
    .set({
      ...unlessEnded(garment, 'queuing'),
      claimId: null,
      leaseUntil: null,
      tries,
      dueAt,
      ...(retry !== undefined && { queuedAt: null }),
      ...(retry !== undefined && garment.endedAt === null && { failure: retry }),
    })
    .where(and(isGarment(garment), isUnchanged(garment)))

/** The new status of a garment, unless it has ended and is tagged again. */
const unlessEnded = ({ endedAt }: ExpectedGarment, status: GarmentRow['status']) => (endedAt === null ? { status } : {})

interface EndOptions {
  readonly ending: Ending
  readonly searched: ReturnType<typeof searchColumns>
  /** Turns that the tenant may have. */
  readonly turnLimit: number
}

/**
 * Ends a garment, counts it and starts the tenant's next turns, whose messages `turns` returns. A garment that was
 * tagged again is not counted, and keeps its former result if tagging failed. Statements that depend on `whenUnchanged`
 * must precede these in the batch. Safe to repeat.
 */
export function endStatements(
  db: Database,
  garment: ExpectedGarment,
  { ending, searched, turnLimit }: EndOptions,
  nowMs: number,
) {
  const { tenantId } = garment
  const { status } = ending
  const isAgain = garment.endedAt !== null
  const result =
    status === 'complete' ? resultColumns(garment, ending) : { status, failure: ending.failure, result: null, doubt: 0 }
  const addedCropBytes = status === 'complete' ? ending.cropBytes - garment.cropBytes : 0
  const resultAgain = status === 'complete' ? { ...result, searchText: searched.searchText } : {}
  return {
    counted: isAgain ? [] : countGarment(db, { tenantId, status, condition: whenUnchanged(garment) }, nowMs),
    crops: addedCropBytes === 0 ? [] : [addCropBytes(tenantId, addedCropBytes, whenUnchanged(garment))],
    pictures: isAgain && status === 'failed' ? [] : storePictureResults(db, garment, ending.pictures),
    ended: db
      .update(garments)
      .set({ ...(isAgain ? resultAgain : { ...result, ...searched, endedAt: nowMs }), ...nothingToDo })
      .where(and(isGarment(garment), isUnchanged(garment))),
    turns: startTurns(tenantId, turnLimit, nowMs),
  }
}

/** Columns of a garment that is neither claimed nor waiting. */
const nothingToDo = { claimId: null, leaseUntil: null, queuedAt: null, dueAt: null }

function resultColumns(
  { tenantId, uuid }: ExpectedGarment,
  { status, revision, result, hash, cropBytes }: Extract<Ending, { readonly status: 'complete' }>,
) {
  return {
    status,
    revision,
    result,
    cropBytes,
    failure: null,
    doubt: doubtOf(tenantId, { ...storedColumns, result }),
    ...hashColumns(hash),
    sameAs: findSame(tenantId, uuid, hash),
  }
}

/** Stores the result of each picture. Precedes the statement that ends the garment. */
const storePictureResults = (db: Database, garment: ExpectedGarment, results: readonly StoredPictureResult[]) =>
  results.map(({ id, ...columns }) =>
    db
      .update(pictures)
      .set(columns)
      .where(
        and(
          eq(pictures.tenantId, garment.tenantId),
          eq(pictures.garmentUuid, garment.uuid),
          eq(pictures.id, id),
          whenUnchanged(garment),
        ),
      ),
  )

/**
 * Makes a garment queue again, in any state, to be tagged with other pictures. It keeps its attributes and corrections.
 */
export const renewStatement = (
  db: Database,
  columns: Pick<GarmentRow, 'revision' | 'rowBytes' | 'cropBytes' | 'corrections'>,
  isUnchanged: SQL | undefined,
  nowMs: number,
) =>
  db
    .update(garments)
    .set({
      ...columns,
      ...nothingToDo,
      pictureHash: null,
      pictureColours: null,
      sameAs: null,
      status: 'queuing',
      tries: 0,
      queuedAt: nowMs,
      endedAt: null,
      failure: null,
      result: null,
      doubt: 0,
      searchText: null,
      price: null,
    })
    .where(isUnchanged)

interface NewGarment extends Pick<GarmentRow, 'uuid' | 'attribute' | 'origin' | 'revision' | 'rowBytes'> {}

/** Creates a garment with the tenant's latest stock number, if the condition holds. */
export const createStatement = (
  tenantId: string,
  { uuid, attribute, origin, revision, rowBytes }: NewGarment,
  condition: SQL,
  nowMs: number,
) => sql`
  INSERT INTO ${garments}
    (tenant_id, uuid, number, attribute, row_bytes, origin, revision, status, queued_at, created_at)
  SELECT tenant_id, ${uuid}, last_number, ${attribute}, ${rowBytes}, ${origin}, ${revision}, 'queuing', ${nowMs}, ${nowMs}
  FROM ${tenantCounters} WHERE tenant_id = ${tenantId} AND ${condition}`

/** Changes a garment whose last pictures were moved to another garment. */
export const emptyStatement = (
  db: Database,
  columns: Pick<GarmentRow, 'revision' | 'rowBytes' | 'cropBytes'>,
  isUnchanged: SQL | undefined,
) => db.update(garments).set(columns).where(isUnchanged)

/** Marks complete garments to be tagged again. Each keeps its result until the new one. */
export function retagStatement(
  db: Database,
  found: readonly Pick<GarmentRow, 'tenantId' | 'uuid' | 'revision'>[],
  nowMs: number,
) {
  const keys = found.map(({ tenantId, uuid, revision }) => [tenantId, uuid, revision])
  return db
    .update(garments)
    .set({ tries: 0, dueAt: nowMs + queueGraceMs })
    .where(
      and(
        inRows(['tenant_id', 'uuid', 'revision'], keys),
        eq(garments.status, 'complete'),
        isNull(garments.queuedAt),
        isNull(garments.dueAt),
      ),
    )
}

/** The condition that the garment is unchanged, for statements on other tables. They must precede the garment's own. */
export const whenUnchanged = (garment: ExpectedGarment) =>
  hasRow(garments, and(isGarment(garment), isUnchanged(garment)))

const isGarment = ({ tenantId, uuid }: { readonly tenantId: string; readonly uuid: string }) =>
  and(eq(garments.tenantId, tenantId), eq(garments.uuid, uuid))

const isUnchanged = ({ revision, claimId, tries }: ExpectedGarment) =>
  and(eq(garments.revision, revision), isActive, eq(garments.tries, tries), hasValue(garments.claimId, claimId))

/** Compares a column with a value that may be null. */
const hasValue = (column: SQLiteColumn, value: string | number | null) =>
  value === null ? isNull(column) : eq(column, value)

/** The columns of a garment that a correction changes. */
export type Correction = Pick<GarmentRow, 'corrections' | 'attribute' | 'attributeChanges'> & {
  /** Set if the garment is to be tagged again: `first` by the time of its upload, `last` after all waiting garments. */
  readonly retag: 'first' | 'last' | undefined
}

/** Returns the texts of a garment that corrections change, to count their bytes. */
const changedText = ({
  attribute,
  attributeChanges,
  corrections,
}: Pick<GarmentRow, 'attribute' | 'corrections'> & Partial<Pick<GarmentRow, 'attributeChanges'>>) =>
  attribute + (attributeChanges ?? '') + (corrections ?? '')

/**
 * Stores a correction, unless the garment has changed since it was read. A failed garment becomes complete. Statements
 * on other tables depend on `unchanged`.
 */
export function correctStatement(
  db: Database,
  garment: GarmentRow,
  { retag, corrections, ...content }: Correction,
  nowMs: number,
) {
  const isUnchanged = and(
    isGarment(garment),
    eq(garments.revision, garment.revision),
    eq(garments.status, garment.status),
    eq(garments.attribute, garment.attribute),
    // Two changes may have restored the same attributes.
    hasValue(garments.attributeChanges, garment.attributeChanges),
    hasValue(garments.corrections, garment.corrections),
    // A run that has begun since has read the former values.
    hasValue(garments.queuedAt, garment.queuedAt),
    hasValue(garments.dueAt, garment.dueAt),
  )
  const status: GarmentRow['status'] = garment.status === 'failed' ? 'complete' : garment.status
  // Ends the claim of a run in progress.
  const run = { ...nothingToDo, tries: 0, queuedAt: retag === 'last' ? nowMs : garment.createdAt }
  const addedBytes = textBytesOf(changedText({ ...content, corrections })) - textBytesOf(changedText(garment))
  const changes = {
    corrections,
    doubt: doubtOf(garment.tenantId, { ...storedColumns, corrections, attribute: content.attribute }),
    ...content,
    rowBytes: garment.rowBytes + addedBytes,
    ...(garment.status === 'failed' && { status }),
    ...(retag && run),
    ...searchColumns({ ...garment, ...content, status, corrections }),
  }
  return {
    unchanged: hasRow(garments, isUnchanged),
    addedBytes,
    stored: db.update(garments).set(changes).where(isUnchanged),
  }
}

/** Claims the garment that `uuid` selects for the review of a session, and returns its uuid. */
export const reviewStatement = (db: Database, tenantId: string, uuid: SQL, sessionId: string, untilMs: number) =>
  db
    .update(garments)
    .set({ reviewSession: sessionId, reviewUntil: untilMs })
    .where(and(eq(garments.tenantId, tenantId), inArray(garments.uuid, uuid)))
    .returning({ uuid: garments.uuid })

/** Releases at most `limit` doubtful garments that a session has claimed for its review. */
export const releaseReviewsStatement = (db: Database, tenantId: string, sessionId: string, limit: number) =>
  db
    .update(garments)
    .set({ reviewSession: null, reviewUntil: null })
    .where(
      and(
        eq(garments.tenantId, tenantId),
        inArray(
          garments.uuid,
          sql`(SELECT uuid FROM ${garments} INDEXED BY garments_by_doubt
            WHERE tenant_id = ${tenantId} AND doubt <> 0 AND review_session = ${sessionId} LIMIT ${limit})`,
        ),
      ),
    )

/** Computes the doubt of some of a tenant's garments anew. */
export const renumberStatement = (db: Database, tenantId: string, which: SQL | undefined) =>
  db
    .update(garments)
    .set({ doubt: doubtOf(tenantId, storedColumns) })
    .where(and(eq(garments.tenantId, tenantId), which))

/** The amounts of quotas that garments use, for `subtractRows`. */
export const garmentAmounts = {
  garments: sql`count(*)`,
  row_bytes: sql`sum(row_bytes)`,
  file_bytes: sql`sum(crop_bytes)`,
}

/** Removes expired garments. */
export const expireStatement = (db: Database, areRemoved: SQL) => db.delete(garments).where(areRemoved)

/** Removes at most `limit` garments of a deleted tenant, from a table of garments. */
export function purgeStatement(
  db: Database,
  table: typeof garments | typeof binnedGarments,
  tenantId: string,
  limit: number,
) {
  const some = db.select({ uuid: table.uuid }).from(table).where(eq(table.tenantId, tenantId)).limit(limit)
  return db.delete(table).where(and(eq(table.tenantId, tenantId), inArray(table.uuid, some)))
}

/** Longer than any run. A run that has already begun may still store its picture. */
export const maxRunMs = 10 * minuteMs

export type RemovedGarment = Pick<GarmentRow, 'pictures'>

/** Moves a garment to the bin until `removeAt`, unless its revision has changed. Hides its pictures. */
export function binStatements(
  db: Database,
  garment: Pick<GarmentRow, 'tenantId' | 'uuid' | 'revision' | 'pictures'>,
  removeAt: number,
  nowMs: number,
) {
  const { tenantId, revision } = garment
  const isRemoved = and(isGarment(garment), eq(garments.revision, revision))
  const columns = { ...getTableColumns(garments), removeAt: sql<number>`${removeAt}`.as('remove_at') }
  return {
    counted: stopWaiting(db, tenantId, hasRow(garments, and(isRemoved, isNull(garments.endedAt)))),
    binned: db.insert(binnedGarments).select(db.select(columns).from(garments).where(isRemoved)),
    removed: db.delete(garments).where(isRemoved).returning({ uuid: garments.uuid }),
    hidden: hideStatement(db, garment),
    turns: startTurns(tenantId, minTurns, nowMs),
  }
}

/**
 * Stores what a shop's file contained. `first` is used only for what a garment's record lacks. `latest` replaces what
 * the record has.
 * @param exported JSON list of `{uuid, first, latest}`, where `first` and `latest` are objects by shop
 */
export const recordExports = (tenantId: string, exported: string) => sql`
  UPDATE ${garments} SET exports = json_patch(
    json_patch(entry.value ->> 'first', coalesce(${garments}.exports, '{}')), entry.value ->> 'latest')
  FROM json_each(${exported}) AS entry
  WHERE tenant_id = ${tenantId} AND uuid = entry.value ->> 'uuid'
    AND uuid IN (SELECT value ->> 'uuid' FROM json_each(${exported}))`

/** Whether a garment in the bin has this uuid, even if the garment is being removed from the bin. */
export const isInBin = (tenantId: SQLWrapper | string, uuid: SQLWrapper | string) =>
  hasRow(binnedGarments, and(eq(binnedGarments.tenantId, tenantId), eq(binnedGarments.uuid, uuid)))

/** Selects a garment in the bin that can be restored. */
export const isRestorable = (tenantId: string, uuid: string, nowMs: number) =>
  and(eq(binnedGarments.tenantId, tenantId), eq(binnedGarments.uuid, uuid), gt(binnedGarments.removeAt, nowMs))

/**
 * Restores a garment from the bin, if it is there. A garment that was waiting or being tagged waits again. The batch
 * fails by a constraint if too many garments wait. `turns` returns the messages to send.
 */
export function restoreStatements(db: Database, tenantId: string, uuid: string, maxWaiting: number, nowMs: number) {
  const isBinned = and(isRestorable(tenantId, uuid, nowMs), hasRow(tenantState, eq(tenantState.tenantId, tenantId)))
  const { removeAt: _, ...columns } = getTableColumns(binnedGarments)
  const isRestored = and(isGarment({ tenantId, uuid }), hasRow(binnedGarments, isBinned))
  const waits = hasRow(binnedGarments, and(isBinned, isNull(binnedGarments.endedAt)))
  return {
    waits: db
      .update(tenantCounters)
      .set({ waiting: sql`${tenantCounters.waiting} + 1`, maxWaiting })
      .where(and(eq(tenantCounters.tenantId, tenantId), waits)),
    restored: db
      .insert(garments)
      .select(db.select(columns).from(binnedGarments).where(isBinned))
      .returning({ uuid: garments.uuid }),
    queuing: [
      db
        .update(garments)
        .set({ status: 'queuing' })
        .where(and(isRestored, isNull(garments.endedAt))),
      db
        .update(garments)
        .set({ ...nothingToDo, tries: 0, queuedAt: nowMs })
        .where(and(isRestored, isActive)),
    ],
    emptied: db.delete(binnedGarments).where(isBinned),
    turns: startTurns(tenantId, minTurns, nowMs),
  }
}

/** Removes garments from the bin. */
export const eraseStatement = (db: Database, areRemoved: SQL) => db.delete(binnedGarments).where(areRemoved)

/**
 * Removes a garment, if it exists, and subtracts it from the counts. Marks its copies and files for the sweep, in case
 * a later step fails. `removed` returns the garment, `turns` the messages of the tenant's next turns.
 */
export function removeStatements(db: Database, tenantId: string, uuid: string, nowMs: number) {
  const isRemoved = isGarment({ tenantId, uuid })
  const exists = hasRow(garments, isRemoved)
  const hasPictures = and(eq(pictures.tenantId, tenantId), eq(pictures.garmentUuid, uuid))
  return {
    counted: [
      stopWaiting(db, tenantId, hasRow(garments, and(isRemoved, isNull(garments.endedAt)))),
      subtractRows(garments, isRemoved, garmentAmounts),
    ],
    copies: db
      .insert(unusedCopies)
      .select(
        db
          .select({
            copyId: pictures.copyId,
            tenantId: pictures.tenantId,
            removeAt: sql<number>`${nowMs + maxRunMs}`.as('remove_at'),
          })
          .from(pictures)
          .where(and(hasPictures, exists)),
      )
      .onConflictDoNothing(),
    files: db
      .insert(unreferencedFiles)
      .select(
        db
          .select({
            tenantId: pictures.tenantId,
            fileId: sql<string>`${pictures.fileId}`.as('file_id'),
            since: sql<number>`${nowMs}`.as('since'),
          })
          .from(pictures)
          .where(and(hasPictures, isNotNull(pictures.fileId), exists)),
      )
      .onConflictDoNothing(),
    removed: db
      .delete(garments)
      .where(isRemoved)
      .returning({ pictures: selectPictures('garments') }),
    // A garment in the bin keeps its pictures.
    pictures: db.delete(pictures).where(and(hasPictures, not(exists), not(isInBin(tenantId, uuid)))),
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

/** Bytes of the garment that an import line becomes. */
const bytesOfLine = sql`line.row_bytes + ${fixedRowBytes.garments - fixedRowBytes.import_lines}
  + ${fixedRowBytes.pictures} * json_array_length(line.pictures)`

interface ImportedGarments {
  readonly tenantId: string
  readonly origin: string
  /** Selects `line`, `uuid`, `pictures`, `attribute`, `number`, `row_bytes` and `revision`. */
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
    // Bytes that are replaced. The new ones are counted with the waiting garments.
    row_bytes: sql`-(SELECT coalesce(sum(row_bytes), 0) ${stored} AND status = 'failed')`,
  }
  return [
    addStored(tenantId, amounts, quotas, sql`EXISTS (${lines})`),
    // A garment that failed keeps its number. Others get the reserved number that they name, or the next ones in the
    // order of the file.
    insertGarments(sql`
      SELECT ${tenantId}, line.uuid,
        coalesce(stored.number, line.number, (SELECT last_number FROM ${tenantCounters} WHERE tenant_id = ${tenantId})
          + count(*) FILTER (WHERE stored.number IS NULL AND line.number IS NULL) OVER (ORDER BY line.line)),
        line.attribute, ${bytesOfLine}, ${origin}, line.revision, 'queuing', ${nowMs}, NULL, ${nowMs}
      FROM (${lines}) AS line
        LEFT JOIN ${garments} AS stored ON stored.tenant_id = ${tenantId} AND stored.uuid = line.uuid
      WHERE changes() > 0`),
    sql`
      INSERT INTO ${tenantCounters}
        (tenant_id, waiting, max_waiting, row_bytes, max_row_bytes, grown_bytes, grown_day)
      SELECT ${tenantId}, count(*), ${maxWaiting}, sum(stored.row_bytes), (
          SELECT ${limitNow('row_bytes', { most: quotas.row_bytes, growthDays: quotas.growthDays })}
          FROM ${limitBasis(tenantId, nowMs, dayOf(nowMs))} AS basis
        ), sum(stored.row_bytes), ${dayOf(nowMs)}
      ${uploaded}
      HAVING count(*) > 0
      ON CONFLICT (tenant_id) DO UPDATE SET
        waiting = waiting + excluded.waiting, max_waiting = excluded.max_waiting,
        last_number = max(last_number, (SELECT max(number) FROM ${garments} WHERE tenant_id = ${tenantId})),
        row_bytes = row_bytes + excluded.row_bytes, max_row_bytes = excluded.max_row_bytes, ${addGrowth}`,
    deletePictures(sql`SELECT stored.tenant_id, stored.uuid ${uploaded}`),
    insertPictures(sql`SELECT stored.tenant_id, stored.uuid, line.pictures ${uploaded}`),
    sql`
      DELETE FROM ${reservedNumbers}
      WHERE tenant_id = ${tenantId} AND number IN (SELECT stored.number ${uploaded})`,
    startTurns(tenantId, minTurns, nowMs),
  ] as const
}

/**
 * Stores garments, restarts those that failed and leaves others as they are. Stands directly after the statement that
 * counts them, and selects them only if that changed its row: it asks for the tenant's.
 */
export const insertGarments = (selected: SQL) => sql`
  INSERT INTO ${garments}
    (tenant_id, uuid, number, attribute, row_bytes, origin, revision, status, queued_at, due_at, created_at)
  ${selected}
  ON CONFLICT (tenant_id, uuid) DO UPDATE SET ${replaceAll} WHERE ${garments.status} = 'failed'`

/** Every column, also those that are not inserted: they get their defaults again. */
const replaceAll = sql.join(
  Object.values(getTableColumns(garments)).map(
    ({ name }) => sql`${sql.identifier(name)} = excluded.${sql.identifier(name)}`,
  ),
  sql`, `,
)
